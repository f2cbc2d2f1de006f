import * as contracts from '@althing/protocol/bus/agent'
import * as inbox from '@althing/protocol/bus/agent-inbox'
import type { Bus } from '@althing/runtime/bus/bus'
import { callWithSession } from './db/sessions.ts'
import type { AgentDb } from './db/tables.ts'
import { toolCallView } from './db/views.ts'
import { createApprovalRule } from './handlers/create-approval-rule.ts'
import { deleteApprovalRule } from './handlers/delete-approval-rule.ts'
import { listApprovalRules } from './handlers/list-approval-rules.ts'
import { listAsked } from './handlers/list-asked.ts'
import { resolveApproval } from './handlers/resolve-approval.ts'
import { type OnAnswered, resolveQuestion } from './handlers/resolve-question.ts'
import { updateApprovalRule } from './handlers/update-approval-rule.ts'

interface AskedDeps {
  readonly db: AgentDb
  readonly onAsked: (user: string) => void
  readonly onWoken: (turn: string) => void
}

/** Serves what waits for people, and the rules that say what need not. */
export function serveAsked(bus: Bus, { db, onAsked, onWoken }: AskedDeps): AsyncDisposable {
  const onAnswered: OnAnswered = async ({ user_id: user, turn_id: turn, call_id }) => {
    onWoken(turn)
    onAsked(user)
    const { call, session } = await callWithSession(db, call_id)
    const data = { session_id: session, message_id: call.message_id, tool_call: toolCallView(call) }
    bus.publish(contracts.agentLive, { user }, { type: 'tool.done', data })
  }
  const stack = new AsyncDisposableStack()
  stack.use(bus.serve(inbox.listAsked, listAsked({ db })))
  stack.use(bus.serve(inbox.resolveApproval, resolveApproval({ db, onAnswered })))
  stack.use(bus.serve(inbox.resolveQuestion, resolveQuestion({ db, onAnswered })))
  stack.use(bus.serve(inbox.listApprovalRules, listApprovalRules({ db })))
  stack.use(bus.serve(inbox.createApprovalRule, createApprovalRule({ db })))
  stack.use(bus.serve(inbox.updateApprovalRule, updateApprovalRule({ db })))
  stack.use(bus.serve(inbox.deleteApprovalRule, deleteApprovalRule({ db })))
  return stack
}
