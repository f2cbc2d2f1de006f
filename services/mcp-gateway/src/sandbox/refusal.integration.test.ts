import * as contracts from '@althing/protocol/bus/gateway'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ada, GatewayBench, notifier } from '../../../../test/harness/gateway.ts'

let bench: GatewayBench

beforeAll(async () => {
  bench = await GatewayBench.open()
})
afterAll(() => bench?.[Symbol.asyncDispose]())

// @requirement R26
it('a server that requires the sandbox is not started without it, and says why', async () => {
  // Where its own tools are not found, no gateway can close a box.
  await using _gateway = await bench.gateway({ PATH: '/nonexistent' })
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
  await using _gateway = await bench.gateway({ PATH: '/nonexistent', ALTHING_ISOLATION: 'sandbox' })
  for (const isolation of ['auto', 'process'] as const) {
    const registration = { ...notifier(`strict-${isolation}`), isolation }
    const refused = await bench.web.call(contracts.registerServer, { actor: ada, registration })
    expect(refused).toMatchObject({ state: 'failed', error: { code: 'isolation_unavailable' } })
  }
})
