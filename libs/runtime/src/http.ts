import Fastify, { type FastifyInstance } from 'fastify'
import type { Telemetry } from './telemetry.ts'

/** A thing the service needs. Resolves when it works, rejects with the reason. */
export type Check = () => Promise<void>

const CHECK_TIMEOUT_MS = 2000

/** `/healthz` (the process lives), `/readyz` (all it needs works) and `/metrics`. */
export function addHealthRoutes(
  app: FastifyInstance,
  checks: Readonly<Record<string, Check>>,
  telemetry: Telemetry,
): void {
  app.get('/healthz', async () => ({ status: 'alive' }))

  app.get('/readyz', async (_request, reply) => {
    const entries = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await outcome(check)] as const),
    )
    const failed = entries.filter(([, word]) => word !== 'ok')
    if (failed.length === 0) return { status: 'ready', checks: Object.fromEntries(entries) }
    return reply
      .code(503)
      .type('application/problem+json')
      .send({
        type: 'about:blank',
        title: 'Not ready',
        status: 503,
        code: 'unavailable',
        detail: failed.map(([name, word]) => `${name}: ${word}`).join('; '),
        checks: Object.fromEntries(entries),
      })
  })

  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4').send(await telemetry.metricsText()),
  )
}

async function outcome(check: Check): Promise<string> {
  const late = AbortSignal.timeout(CHECK_TIMEOUT_MS)
  try {
    await Promise.race([
      check(),
      new Promise((_resolve, reject) => {
        late.addEventListener('abort', () => reject(new Error('no answer')), { once: true })
      }),
    ])
    return 'ok'
  } catch (error) {
    return error instanceof Error ? error.message : 'failed'
  }
}

/** The small HTTP server of a service that has no other. */
export async function openHealth(options: {
  readonly host: string
  readonly port: number
  readonly checks: Readonly<Record<string, Check>>
  readonly telemetry: Telemetry
}): Promise<AsyncDisposable> {
  const app = Fastify({ forceCloseConnections: true })
  addHealthRoutes(app, options.checks, options.telemetry)
  await app.listen({ host: options.host, port: options.port })
  return { [Symbol.asyncDispose]: () => app.close() }
}
