import * as contracts from '@althing/protocol/bus/gateway'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ada, GatewayBench, notifier } from '../../../../test/harness/gateway.ts'
import { until } from '../../../../test/harness/until.ts'

let bench: GatewayBench

beforeAll(async () => {
  bench = await GatewayBench.open()
})
afterAll(() => bench?.[Symbol.asyncDispose]())

/** A gateway that can close no box: its own tools are not found. */
async function unboxed(env: Record<string, string> = {}): Promise<AsyncDisposable> {
  const gateway = await bench.gateway({ PATH: '/nonexistent', ...env })
  await until('it is served', () => bench.web.call(contracts.listServers, { actor: ada }))
  return gateway
}

// @requirement R26
it('a server that requires the sandbox is not started without it, and says why', async () => {
  await using _gateway = await unboxed()
  const registration = { ...notifier('boxed'), isolation: 'sandbox' as const }
  const refused = await bench.web.call(contracts.registerServer, { actor: ada, registration })
  expect(refused).toMatchObject({ state: 'failed', error: { code: 'isolation_unavailable' } })
  const tried = await bench.web.call(contracts.testServer, { actor: ada, registration })
  expect(tried).toMatchObject({ ok: false, error: { code: 'isolation_unavailable' } })

  const patch = { isolation: 'auto' as const }
  const left = await bench.web.call(contracts.updateServer, { actor: ada, name: 'boxed', patch })
  expect(left).toMatchObject({ state: 'running', isolation: 'process' })
  const { lines } = await bench.web.call(contracts.readLog, { actor: ada, name: 'boxed', tail: 50 })
  expect(lines.map((line) => line.text).join('\n')).toContain('isolation: process')
})

it('no server starts below the sandbox where the instance requires it', async () => {
  await using _gateway = await unboxed({ ALTHING_ISOLATION: 'sandbox' })
  for (const isolation of ['auto', 'process'] as const) {
    const registration = { ...notifier(`strict-${isolation}`), isolation }
    const refused = await bench.web.call(contracts.registerServer, { actor: ada, registration })
    expect(refused).toMatchObject({ state: 'failed', error: { code: 'isolation_unavailable' } })
  }
})
