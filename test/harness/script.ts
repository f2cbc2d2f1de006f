import { lastUserText, type ModelReply, type ModelRequest, resultsOfTurn, systemText } from './model.ts'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

function call(name: string, args: unknown): ModelReply {
  return { toolCalls: [{ name, arguments: JSON.stringify(args) }] }
}

/**
 * A model that does what the flows need: `call <server> <tool> <json>` activates the server, calls the tool, and
 * answers with its result; in a triage turn it writes one briefing and a verdict for every event.
 */
export function flowScript(request: ModelRequest): ModelReply {
  const results = resultsOfTurn(request)
  if (/triage/i.test(systemText(request))) return triage(request, results)
  const wanted = /call ([a-z0-9-]+) (\S+) (\{.*\})/s.exec(lastUserText(request))
  if (wanted === null) return { content: 'Nothing to do.' }
  const [, server = '', tool = '', args = '{}'] = wanted
  if (results.length === 0) return call('activate_tools', { groups: [server] })
  if (results.length === 1) {
    const alias = request.tools
      ?.map((entry) => entry.function.name)
      .find((name) => name.startsWith(`mcp__${server}__${tool}`))
    return alias === undefined
      ? { content: `no alias for ${tool}` }
      : { toolCalls: [{ name: alias, arguments: args }] }
  }
  return { content: `The tool answered: ${results.at(-1)}` }
}

function triage(request: ModelRequest, results: readonly string[]): ModelReply {
  const ids = [...new Set(lastUserText(request).match(UUID))]
  if (results.length === 0) {
    return call('notify', {
      source: 'mail',
      type: 'new_email',
      summary: `${ids.length} new messages.`,
      event_ids: ids,
    })
  }
  if (results.length === 1) {
    return call('settle', {
      verdicts: ids.map((event_id) => ({ event_id, verdict: 'notify', reason: 'It is news.' })),
    })
  }
  return { content: 'Done.' }
}
