/** A message of the OpenAI chat wire, as far as the script reads it. */
export interface WireMessage {
  readonly role: string
  readonly content?: string | readonly { readonly text?: string }[] | null
}

export interface WireTool {
  readonly function: {
    readonly name: string
    readonly parameters?: { readonly properties?: object; readonly required?: readonly string[] }
  }
}

export interface WireRequest {
  readonly messages: readonly WireMessage[]
  readonly tools?: readonly WireTool[]
}

export type ScriptedReply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: string }

const USE = /^\s*use\s+([a-z0-9-]+)\s*:\s*([A-Za-z0-9_-]+)\s*([\s\S]*)$/i
const HELP =
  'I am a script, not an AI. Write "use <server>: <tool> <text>", for example "use everything: echo hello", and I activate that server, call the tool and show its result. To talk to a real model, set ALTHING_MODEL_PROVIDER, ALTHING_MODEL_BASE_URL, ALTHING_MODEL_API_KEY and ALTHING_MODEL and start again.'
const LONGEST_EXTRACT = 80

/** What the scripted demo answers. It follows fixed rules: there is no model behind it. */
export function scriptedReply(request: WireRequest): ScriptedReply {
  const start = request.messages.findLastIndex((message) => message.role === 'user')
  const asked = textOf(request.messages[start])
  const results = request.messages
    .slice(start + 1)
    .filter((message) => message.role === 'tool')
    .map(textOf)
  const tools = request.tools ?? []
  if (tools.some((tool) => tool.function.name === 'settle')) return triageReply(asked, results)
  const use = USE.exec(asked)
  if (use === null) return { kind: 'text', text: HELP }
  const [, server = '', toolName = '', rest = ''] = use
  const tool = findTool(tools, server, toolName)
  if (results.length === 0 && tool === undefined) return call('activate_tools', { groups: [server] })
  if (results.length === 0 || (results.length === 1 && tool !== undefined && isActivation(results[0]))) {
    if (tool !== undefined)
      return { kind: 'call', name: tool.function.name, arguments: argumentsFor(tool, rest.trim()) }
  }
  if (tool === undefined)
    return {
      kind: 'text',
      text: `I could not find the tool "${toolName}" of "${server}". ${results.at(-1) ?? ''}`.trim(),
    }
  return { kind: 'text', text: `${server} answered:\n\n${results.at(-1) ?? ''}` }
}

function textOf(message: WireMessage | undefined): string {
  const content = message?.content ?? ''
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')
}

function isActivation(result: string | undefined): boolean {
  return result?.startsWith('{"groups":') ?? false
}

function findTool(tools: readonly WireTool[], server: string, name: string): WireTool | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll('-', '_')
  const wanted = plain(`mcp__${server}__${name}`)
  return (
    tools.find((tool) => plain(tool.function.name) === wanted) ??
    tools.find((tool) => plain(tool.function.name).startsWith(wanted))
  )
}

function argumentsFor(tool: WireTool, rest: string): string {
  if (rest.startsWith('{')) return rest
  const { required = [], properties = {} } = tool.function.parameters ?? {}
  const first = required[0] ?? Object.keys(properties)[0]
  return JSON.stringify(rest === '' || first === undefined ? {} : { [first]: rest })
}

function call(name: string, args: unknown): ScriptedReply {
  return { kind: 'call', name, arguments: JSON.stringify(args) }
}

interface FencedEvent {
  readonly id: string
  readonly server: string
  readonly method: string
  readonly payload: unknown
}

function triageReply(asked: string, results: readonly string[]): ScriptedReply {
  const events = asked
    .split('\n')
    .filter((line) => line.startsWith('{"id":'))
    .map((line) => JSON.parse(line) as FencedEvent)
  const [first] = events
  if (first === undefined || results.length > 1) return { kind: 'text', text: 'Done.' }
  if (results.length === 0) {
    const extract = JSON.stringify(first.payload).slice(0, LONGEST_EXTRACT)
    const count = events.length === 1 ? 'One event' : `${events.length} events`
    return call('notify', {
      source: first.server,
      type: first.method.replace(/^event\//, ''),
      summary: `${count} from ${first.server}. ${first.method}: ${extract}`,
      event_ids: events.map((event) => event.id),
    })
  }
  return call('settle', {
    verdicts: events.map(({ id }) => ({
      event_id: id,
      verdict: 'notify',
      reason: 'The scripted demo tells of every event.',
    })),
  })
}
