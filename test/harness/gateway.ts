import { randomUUIDv7 } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Stack, startStack } from '@althing/local-stack/stack'
import { identify } from '@althing/mcp-client/transport/process-group'
import { GatewayConfig } from '@althing/mcp-gateway/config'
import { createGateway } from '@althing/mcp-gateway/service'
import * as contracts from '@althing/protocol/bus/gateway'
import { payloadBucket } from '@althing/protocol/bus/gateway-relay'
import type { Actor } from '@althing/protocol/model/actor'
import type { CallResult } from '@althing/protocol/model/tool'
import { Bus } from '@althing/runtime/bus/bus'
import { readConfig, ServiceConfig } from '@althing/runtime/config'
import { openLog } from '@althing/runtime/log'
import { Objects } from '@althing/runtime/objects'
import pg from 'pg'
import { NOTIFIER } from './servers.ts'

export const ada: Actor = { user: 'ada', role: 'admin' }

export function notifier(name: string) {
  return { name, transport: 'stdio' as const, command: process.execPath, args: [NOTIFIER] }
}

/** Real Postgres and NATS for gateways inside a test; `web` asks them as the web service does. */
export class GatewayBench implements AsyncDisposable {
  readonly folder: string
  readonly stack: Stack
  readonly web: Bus
  readonly admin: pg.Client

  private constructor(folder: string, stack: Stack, web: Bus, admin: pg.Client) {
    this.folder = folder
    this.stack = stack
    this.web = web
    this.admin = admin
  }

  static async open(): Promise<GatewayBench> {
    const folder = await mkdtemp(join(tmpdir(), 'althing-gateway-'))
    const stack = await startStack({ dataDir: folder, durable: false, services: {}, say: () => {} })
    const env = await stack.envOf('web')
    const web = await Bus.open(
      'web',
      'test-web',
      readConfig(ServiceConfig, env),
      openLog('test', 'test', 'error'),
    )
    web.passOutsizedBy(new Objects(web, payloadBucket))
    const admin = new pg.Client({ connectionString: stack.adminDatabaseUrl() })
    await admin.connect()
    return new GatewayBench(folder, stack, web, admin)
  }

  async gateway(env: Record<string, string> = {}, host?: string): Promise<AsyncDisposable> {
    const given = await this.stack.envOf('mcp-gateway')
    const config = readConfig(GatewayConfig, { ...given, HEALTH_PORT: '0', LOG_LEVEL: 'error', ...env })
    return createGateway(config, host === undefined ? {} : { host })
  }

  async call(name: string, tool: string, args: Record<string, unknown> = {}): Promise<CallResult> {
    const located = await this.web.call(
      contracts.ensureConnection,
      { actor: ada, name },
      { timeoutMs: 15_000 },
    )
    const input = { actor: ada, call_id: randomUUIDv7(), tool, arguments: args }
    const bytes = await this.web.stream(contracts.callTool, { connection: located.connection }, input)
    return JSON.parse(new TextDecoder().decode(bytes)) as CallResult
  }

  async pidOf(name: string): Promise<number> {
    const { result } = await this.call(name, 'whoami')
    return (JSON.parse(String(result)) as { pid: number }).pid
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.admin.end()
    await this.web[Symbol.asyncDispose]()
    await this.stack[Symbol.asyncDispose]()
    await rm(this.folder, { recursive: true, force: true })
  }
}

export function isAlive(pid: number): boolean {
  return identify(pid) !== undefined
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** An HTTP server that answers as it is told. */
export async function answering(answer: Answer): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    answer(request, response, body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
