import * as agent from '@althing/protocol/bus/agent-inbox'
import * as gateway from '@althing/protocol/bus/gateway-elicitation'
import * as tic from '@althing/protocol/bus/tic'
import { AppError } from '@althing/protocol/errors'
import { getInbox, listBriefings, markBriefing, resolveElicitation } from '@althing/protocol/http/inbox'
import { Id } from '@althing/protocol/model/ids'
import type { Bus } from '@althing/runtime/bus/bus'
import { seal } from '@althing/runtime/seal'
import type { RouteBinder } from './bind.ts'

const MOST_SHOWN = 200

export function bindInbox(routes: RouteBinder, bus: Bus): void {
  routes.bind(getInbox, async ({ actor }) => {
    const [{ briefings }, { elicitations }, { approvals, questions }] = await Promise.all([
      bus.call(tic.listBriefings, { actor, page: { limit: MOST_SHOWN }, open: true }),
      bus.call(gateway.listElicitations, { actor }),
      bus.call(agent.listAsked, { actor }),
    ])
    const total = briefings.length + elicitations.length + approvals.length + questions.length
    return { total, approvals, questions, elicitations, briefings }
  })

  routes.bind(resolveElicitation, async ({ actor, params, body }) => {
    if (!Id.safeParse(params.id).success) throw new AppError('not_found', 'There is no such question')
    const { action, content } = body
    const { instance, seal: key } = await bus.call(gateway.findElicitation, { actor, elicitation: params.id })
    // What an API client gives in clear goes no further than here in clear.
    const sealed =
      content === undefined ? body.sealed : seal(JSON.stringify(content), key.public_key, params.id)
    const input = { actor, elicitation: params.id, action, ...(sealed === undefined ? {} : { sealed }) }
    return bus.call(gateway.answerElicitation, input, { at: { instance } })
  })

  routes.bind(markBriefing, ({ actor, params, body }) => {
    if (!Id.safeParse(params.id).success) throw new AppError('not_found', 'There is no such briefing')
    return bus.call(tic.markBriefing, { actor, briefing: params.id, state: body.state })
  })

  routes.bind(listBriefings, ({ actor, query }) =>
    bus.call(tic.listBriefings, { actor, page: query, open: false }),
  )
}
