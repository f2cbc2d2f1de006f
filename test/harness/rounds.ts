import { lastUserText, type ModelReply, type ModelRequest } from './model.ts'

/** A call that a scripted round makes. */
export interface ScriptedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** A message that makes a model of `roundsScript` do one round of calls after another, then say "done: <results>". */
export function rounds(...list: readonly (readonly ScriptedCall[])[]): string {
  return `rounds ${JSON.stringify(list)}`
}

export function scripted(name: string, args: Readonly<Record<string, unknown>> = {}): ScriptedCall {
  return { name, arguments: args }
}

/** Follows what the last message says, however often it is asked: what was called already shows in the request. */
export function roundsScript(request: ModelRequest): ModelReply {
  const text = lastUserText(request)
  if (!text.startsWith('rounds ')) return { content: 'Nothing to do.' }
  const list = JSON.parse(text.slice('rounds '.length)) as ScriptedCall[][]
  const since = request.messages.slice(
    request.messages.findLastIndex((message) => message.role === 'user') + 1,
  )
  const gone = since.filter((message) => message.role === 'assistant' && 'tool_calls' in message).length
  const next = list[gone]
  if (next !== undefined)
    return { toolCalls: next.map((call) => ({ name: call.name, arguments: JSON.stringify(call.arguments) })) }
  const results = since.filter((message) => message.role === 'tool').map((message) => message.content)
  return { content: `done: ${JSON.stringify(results.slice(-(list.at(-1)?.length ?? 0)))}` }
}
