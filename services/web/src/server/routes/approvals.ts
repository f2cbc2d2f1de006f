import * as agent from '@althing/protocol/bus/agent-inbox'
import { AppError } from '@althing/protocol/errors'
import * as http from '@althing/protocol/http/approvals'
import { Id } from '@althing/protocol/model/ids'
import type { Bus } from '@althing/runtime/bus/bus'
import type { RouteBinder } from './bind.ts'

export function bindApprovals(routes: RouteBinder, bus: Bus): void {
  routes.bind(http.resolveApproval, ({ actor, params, body }) =>
    bus.call(agent.resolveApproval, { actor, approval: idOf(params, 'approval'), answer: body }),
  )

  routes.bind(http.resolveQuestion, ({ actor, params, body }) =>
    bus.call(agent.resolveQuestion, { actor, question: idOf(params, 'question'), answer: body.answer }),
  )

  routes.bind(http.listApprovalRules, ({ actor }) => bus.call(agent.listApprovalRules, { actor }))

  routes.bind(http.createApprovalRule, ({ actor, body }) =>
    bus.call(agent.createApprovalRule, { actor, rule: body }),
  )

  routes.bind(http.updateApprovalRule, ({ actor, params, body }) =>
    bus.call(agent.updateApprovalRule, { actor, rule: idOf(params, 'rule'), patch: body }),
  )

  routes.bind(http.deleteApprovalRule, async ({ actor, params }) => {
    await bus.call(agent.deleteApprovalRule, { actor, rule: idOf(params, 'rule') })
    return undefined
  })
}

/** What is no id names nothing. */
function idOf({ id }: { readonly id: string }, noun: string): string {
  if (Id.safeParse(id).success) return id
  throw new AppError('not_found', `There is no such ${noun}.`)
}
