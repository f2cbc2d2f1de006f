import { AppError } from '@althing/protocol/errors'
import type { AgentFile } from '../agents/agent-file.ts'
import { type BuiltIn, WAITS } from './built-in.ts'

export interface Dispatch {
  readonly callId: string
  readonly agent: AgentFile
  readonly prompt: string
}

/** Gives a task to a sub-agent, which begins with no tools of servers and no memory of this chat. */
export function dispatchAgent(
  agents: readonly AgentFile[],
  dispatch: (task: Dispatch) => Promise<string | typeof WAITS>,
): BuiltIn {
  const known = agents.filter((agent) => agent.type === 'task')
  return {
    name: 'dispatch_agent',
    description: `Gives a task to another agent and waits for its answer. Several calls in one step run side by side. It sees nothing of this chat: say all that it needs. Agents: ${known.map(({ name, description }) => `${name} (${description})`).join('; ')}`,
    schema: {
      type: 'object',
      properties: {
        agent: { type: 'string', enum: known.map(({ name }) => name) },
        prompt: { type: 'string', maxLength: 100_000, description: 'The task, whole.' },
      },
      required: ['agent', 'prompt'],
      additionalProperties: false,
    },
    parallel: true,
    async run({ agent: name, prompt }, { callId }) {
      const agent = known.find((one) => one.name === name)
      if (agent === undefined)
        throw new AppError(
          'not_found',
          `There is no agent "${name}". There are: ${known.map((one) => one.name).join(', ')}.`,
        )
      const answer = await dispatch({ callId, agent, prompt: String(prompt) })
      return answer === WAITS ? WAITS : { agent: agent.name, answer }
    },
  }
}
