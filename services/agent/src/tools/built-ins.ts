import type { AgentFile } from '../agents/agent-file.ts'
import type { ToolCallRow } from '../db/tables.ts'
import type { Grants } from '../grants/grants.ts'
import type { Gateway } from '../turn/gateway.ts'
import { activateTools } from './activate-tools.ts'
import { askUser, type UserQuestion } from './ask-user.ts'
import type { BuiltIn, WAITS } from './built-in.ts'
import { type Dispatch, dispatchAgent } from './dispatch-agent.ts'
import { listItems } from './list-items.ts'
import { readResult } from './read-result.ts'

/** What the tools of an agent's own reach. */
export interface BuiltInDeps {
  readonly gateway: Gateway
  readonly agents: readonly AgentFile[]
  readonly grants: Grants
  readonly findCall: (id: string) => Promise<ToolCallRow | undefined>
  readonly ask: (callId: string, question: UserQuestion) => Promise<void>
  /** Undefined for an agent that is nested too deep to have sub-agents. */
  readonly dispatch: ((task: Dispatch) => Promise<string | typeof WAITS>) | undefined
}

/** The tools of an agent's own that are always there, in a fixed order: a provider's cache begins with them. */
export function builtIns({ gateway, agents, grants, findCall, ask, dispatch }: BuiltInDeps): BuiltIn[] {
  return [
    activateTools(gateway, grants),
    listItems(gateway, agents),
    readResult(findCall),
    askUser(ask),
    ...(dispatch === undefined ? [] : [dispatchAgent(agents, dispatch)]),
  ]
}
