import { AppError } from '@althing/protocol/errors'
import type { Tool } from '@althing/protocol/model/tool'
import { describe, expect, it } from 'vitest'
import type { Gateway } from './gateway.ts'
import { runTool } from './run-tool.ts'
import type { OfferedTool } from './tool-list.ts'

const actor = { user: 'u', role: 'member' as const }
const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }

function offered(annotations: Tool['annotations'] = {}): OfferedTool[] {
  const tool: Tool = {
    name: 'send',
    alias: 'mcp__mail__send',
    description: '',
    input_schema: schema,
    annotations,
    pinned: { state: 'accepted' },
  }
  return [
    {
      name: tool.alias,
      description: '',
      schema,
      target: { kind: 'mcp', server: { id: 's', name: 'mail' }, tool },
    },
  ]
}

function run(
  call: Partial<Parameters<typeof runTool>[2]>,
  tools: OfferedTool[],
  outcome: Promise<never> | undefined = undefined,
) {
  const gateway: Gateway = {
    servers: async () => [{ name: 'mail' }, { name: 'other' }] as never,
    tools: async () => ({ server_id: 's', tools: [], problems: [] }),
    call: async ({ callId }) =>
      outcome ?? {
        call_id: callId,
        is_error: false,
        result_type: 'string',
        result: 'sent',
        media: [],
        warnings: [],
      },
  }
  const wanted = { id: 'c', name: 'mcp__mail__send', arguments: { text: 'x' }, fault: null, ...call }
  return runTool({ actor, gateway }, tools, wanted, new AbortController().signal, () => {})
}

describe('a call', () => {
  it('that works gives its result', async () => {
    expect(await run({}, offered())).toEqual({ status: 'done', type: 'string', value: 'sent' })
  })

  it('of an unknown tool names what is near, and runs nothing', async () => {
    expect(await run({ name: 'mcp__mail__sendd' }, offered())).toMatchObject({
      status: 'failed',
      value: expect.stringContaining('mcp__mail__send'),
    })
  })

  it('of a group that is not active says how to activate it', async () => {
    expect(await run({ name: 'mcp__other__x' }, offered())).toMatchObject({
      value: expect.stringContaining('activate_tools(["other"])'),
    })
  })

  it('with arguments that are no JSON, or do not fit, is not run', async () => {
    expect(await run({ fault: 'The arguments are not JSON.' }, offered())).toMatchObject({
      status: 'failed',
      value: expect.stringContaining('not JSON'),
    })
    expect(await run({ arguments: { text: 5 } }, offered())).toMatchObject({
      status: 'failed',
      value: expect.stringMatching(/text must be string/),
    })
    expect(await run({ arguments: {} }, offered())).toMatchObject({
      value: expect.stringContaining("'text'"),
    })
  })

  it.each(['owner_lost', 'connection_lost'] as const)(
    'whose connection is lost (%s) is unknown, unless a repeat does no harm',
    async (code) => {
      const lost = () => Promise.reject(new AppError(code, 'gone'))
      expect(await run({}, offered(), lost())).toMatchObject({ status: 'unknown' })
      expect(await run({}, offered({ readOnlyHint: true }), lost())).toMatchObject({ status: 'failed' })
    },
  )

  it('that the server refuses keeps its words', async () => {
    const refused = Promise.reject(new AppError('upstream_error', 'The server answered with an error: no'))
    expect(await run({}, offered(), refused)).toMatchObject({
      status: 'failed',
      value: expect.stringContaining('no'),
    })
  })
})
