import { connect } from '@althing/mcp-client/connect'
import type { CallRequest, Connection } from '@althing/mcp-client/connection'
import type { RawTool } from '@althing/mcp-client/tool-list'
import { asAppError } from '@althing/runtime/errors'
import { acceptDefaults, plainValues } from './answers.ts'
import { Consents } from './consents.ts'

/**
 * The client that the official suite drives: the product's own connections, with a person who consents to everything
 * and accepts every form. It uses all that a server offers. Exits with 1 when anything fails.
 */
interface Context {
  readonly client_id?: string
  readonly client_secret?: string
  readonly issuer?: string
  /** Calls to make instead of one of every tool. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[]
}

const MOST_CONSENTS = 3
const TIMEOUT_MS = 60_000

const url = new URL(process.argv[2] ?? '')
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Context
const { signal } = new AbortController()
const { client_id, client_secret, issuer, toolCalls } = context
await using consents = new Consents(
  client_id === undefined
    ? undefined
    : { client_id, ...(client_secret ? { client_secret } : {}), ...(issuer ? { issuer } : {}) },
)
let given = 0

try {
  await using connection = await consenting(open)
  const { tools } = await consenting(() => connection.listTools(signal))
  const calls =
    toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: plainValues(tool.inputSchema) }))
  await all(calls.map((call) => consenting(() => use(connection, 'tools/call', call, tools))))
  await useOffers(connection)
} catch (error) {
  console.error(error)
  process.exitCode = 1
}

function open(): Promise<Connection> {
  return connect({
    target: {
      kind: 'http',
      url,
      headers: {},
      allowSse: false,
      policy: { loopback: true, private: false },
      authorizer: consents.session,
    },
    clientInfo: { name: 'althing', version: '0.1.0' },
    startTimeoutMs: TIMEOUT_MS,
    probeTimeoutMs: TIMEOUT_MS,
    maxMessageBytes: 4_194_304,
    graceMs: 300,
    onLog: ({ tag, text }) => console.error(`${tag}: ${text}`),
    onNotification: () => {},
    onToolsChanged: async () => {},
    onClose: (reason) => console.error(reason),
    signal,
  })
}

/** Does what needs consent again after giving it, a few times at most. */
async function consenting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (asAppError(error).code !== 'needs_auth' || ++given > MOST_CONSENTS) throw error
    await consents.give(url)
    return consenting(work)
  }
}

async function use(
  connection: Connection,
  method: string,
  params: CallRequest['params'],
  tools: readonly RawTool[] = [],
): Promise<unknown> {
  const tool = tools.find(({ name }) => name === params.name)
  const { result } = await connection.request({
    method,
    params,
    caller: 'person',
    timeoutMs: TIMEOUT_MS,
    capMs: TIMEOUT_MS,
    signal,
    answer: acceptDefaults,
    ...(tool ? { tool } : {}),
  })
  return result
}

async function useOffers(connection: Connection): Promise<void> {
  const { resources, prompts } = connection.capabilities
  if (resources !== undefined) {
    const listed = (await use(connection, 'resources/list', {})) as { resources?: { uri: string }[] }
    await all((listed.resources ?? []).map(({ uri }) => use(connection, 'resources/read', { uri })))
  }
  if (prompts !== undefined) {
    const listed = (await use(connection, 'prompts/list', {})) as { prompts?: { name: string }[] }
    await all(
      (listed.prompts ?? []).map(({ name }) => use(connection, 'prompts/get', { name, arguments: {} })),
    )
  }
}

/** Waits for all of them, and throws what the first that failed did. */
async function all(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
