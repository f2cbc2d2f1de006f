import * as tic from '@althing/protocol/bus/tic'
import { AppError } from '@althing/protocol/errors'
import { getInbox, listBriefings, markBriefing } from '@althing/protocol/http/inbox'
import { Id } from '@althing/protocol/model/ids'
import type { Bus } from '@althing/runtime/bus/bus'
import type { RouteBinder } from './bind.ts'

const MOST_SHOWN = 200

export function bindInbox(routes: RouteBinder, bus: Bus): void {
  routes.bind(getInbox, async ({ actor }) => {
    const { briefings } = await bus.call(tic.listBriefings, {
      actor,
      page: { limit: MOST_SHOWN },
      open: true,
    })
    return { total: briefings.length, approvals: [], questions: [], elicitations: [], briefings }
  })

  routes.bind(markBriefing, ({ actor, params, body }) => {
    if (!Id.safeParse(params.id).success) throw new AppError('not_found', 'There is no such briefing')
    return bus.call(tic.markBriefing, { actor, briefing: params.id, state: body.state })
  })

  routes.bind(listBriefings, ({ actor, query }) =>
    bus.call(tic.listBriefings, { actor, page: query, open: false }),
  )
}
