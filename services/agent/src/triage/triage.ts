import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { TriageAnswer } from '@althing/protocol/model/briefing'
import type { ServerEvent } from '@althing/protocol/model/event'
import type { Clock } from '@althing/runtime/clock'
import { invariant } from '@althing/runtime/errors'
import type { ModelMessage } from 'ai'
import { type AgentFile, renderPrompt } from '../agents/agent-file.ts'
import { passingGrants } from '../grants/grants.ts'
import { type ModelCall, type ModelEndpoint, runRound } from '../llm/model.ts'
import { activateTools } from '../tools/activate-tools.ts'
import { WAITS } from '../tools/built-in.ts'
import { listItems } from '../tools/list-items.ts'
import { cut } from '../turn/conversation.ts'
import type { Gateway } from '../turn/gateway.ts'
import { type Outcome, runTool } from '../turn/run-tool.ts'
import { toolList } from '../turn/tool-list.ts'
import { type Rule, triageRequest } from './fence.ts'
import { Findings } from './verdicts.ts'

export interface TriageDeps {
  readonly clock: Clock
  readonly gateway: Gateway
  readonly agents: readonly AgentFile[]
  readonly endpoint: () => Promise<ModelEndpoint>
  readonly rounds: number
}

/** Judges a batch of one person's events. Reads with tools that only read; changes nothing anywhere. */
export async function triage(
  deps: TriageDeps,
  input: { readonly user: string; readonly events: readonly ServerEvent[]; readonly rules: readonly Rule[] },
  signal: AbortSignal,
  onRound: (round: number) => void,
): Promise<TriageAnswer> {
  const { gateway, agents, clock } = deps
  const endpoint = await deps.endpoint()
  const agent = agents.find((one) => one.name === 'tic')
  if (agent === undefined) throw new AppError('not_found', 'There is no agent "tic".')
  // Events come without a person at the keyboard: they act with no more than a member's rights.
  const actor: Actor = { user: input.user, role: 'member' }
  const grants = passingGrants()
  const findings = new Findings(input.events.map((event) => event.id))
  const builtIns = [
    findings.notify(),
    findings.settle(),
    activateTools(gateway, grants),
    listItems(gateway, agents),
  ]
  const servers = (await gateway.servers(actor)).filter((server) => server.enabled)
  const system = renderPrompt(agent, servers, [])
  const messages: ModelMessage[] = [{ role: 'user', content: triageRequest(input.events, input.rules) }]
  let askedAgain = false
  for (let round = 0; round < deps.rounds; round++) {
    onRound(round)
    const offered = await toolList(
      actor,
      builtIns,
      grants,
      gateway,
      (tool) => tool.annotations?.readOnlyHint === true,
    )
    let text = ''
    const { calls } = await runRound({
      endpoint,
      system,
      messages,
      tools: offered,
      signal,
      clock,
      onText: (part) => {
        text += part
      },
    })
    if (calls.length === 0) {
      if (findings.missing.length === 0 || askedAgain) break
      askedAgain = true
      if (text !== '') messages.push({ role: 'assistant', content: text })
      messages.push({
        role: 'user',
        content: `These events have no verdict yet; call settle for them: ${findings.missing.join(', ')}`,
      })
      continue
    }
    const outcomes: Outcome[] = []
    for (const call of calls) {
      const wanted = {
        id: randomUUIDv7(),
        name: call.name,
        arguments: call.arguments,
        fault: call.fault ?? null,
      }
      const outcome = await runTool({ actor, gateway }, offered, wanted, signal, () => {})
      invariant(outcome !== WAITS, 'triage has no tool that waits')
      outcomes.push(outcome)
    }
    messages.push(...exchange(text, calls, outcomes))
    if (findings.missing.length === 0) break
  }
  return findings.answer()
}

function exchange(text: string, calls: readonly ModelCall[], outcomes: readonly Outcome[]): ModelMessage[] {
  return [
    {
      role: 'assistant',
      content: [
        ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        ...calls.map((call) => ({
          type: 'tool-call' as const,
          toolCallId: call.id,
          toolName: call.name,
          input: call.arguments,
        })),
      ],
    },
    {
      role: 'tool',
      content: calls.map((call, index) => {
        const value = outcomes[index]?.value
        return {
          type: 'tool-result' as const,
          toolCallId: call.id,
          toolName: call.name,
          output: {
            type: 'text' as const,
            value: cut(typeof value === 'string' ? value : JSON.stringify(value)),
          },
        }
      }),
    },
  ]
}
