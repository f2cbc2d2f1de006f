import * as agent from '@althing/protocol/bus/agent'
import { AppError } from '@althing/protocol/errors'
import * as http from '@althing/protocol/http/sessions'
import { Id } from '@althing/protocol/model/ids'
import type { Bus } from '@althing/runtime/bus/bus'
import type { RouteBinder } from './bind.ts'

export function bindSessions(routes: RouteBinder, bus: Bus): void {
  routes.bind(http.createSession, ({ actor, body }) =>
    bus.call(agent.createSession, { actor, agent: body.agent }),
  )

  routes.bind(http.listSessions, ({ actor, query }) => bus.call(agent.listSessions, { actor, page: query }))

  routes.bind(http.getSession, ({ actor, params }) =>
    bus.call(agent.getSession, { actor, session: sessionId(params) }),
  )

  routes.bind(http.deleteSession, async ({ actor, params }) => {
    await bus.call(agent.deleteSession, { actor, session: sessionId(params) })
    return undefined
  })

  routes.bind(http.sendMessage, ({ actor, params, body }) =>
    bus.call(agent.sendMessage, { actor, session: sessionId(params), content: body.content }),
  )

  routes.bind(http.stopTurn, ({ actor, params }) =>
    bus.call(agent.stopTurn, { actor, session: sessionId(params) }),
  )

  routes.bind(http.revokeGrant, ({ actor, params }) =>
    bus.call(agent.revokeGrant, { actor, session: sessionId(params), group: params.group }),
  )

  routes.bind(http.listModels, ({ actor }) => bus.call(agent.listModels, { actor }))

  routes.bind(http.setDefaultModel, ({ actor, body }) =>
    bus.call(agent.setDefaultModel, { actor, model: body.model }),
  )
}

/** What is no id names no chat. */
function sessionId({ id }: { readonly id: string }): string {
  if (Id.safeParse(id).success) return id
  throw new AppError('session_not_found', 'There is no such chat')
}
