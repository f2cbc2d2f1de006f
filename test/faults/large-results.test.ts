import * as contracts from '@althing/protocol/bus/gateway'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ada, GatewayBench, notifier } from '../harness/gateway.ts'

const MIB = 1024 * 1024

let bench: GatewayBench
let gateway: AsyncDisposable

beforeAll(async () => {
  bench = await GatewayBench.open()
  gateway = await bench.gateway()
  const { state } = await bench.web.call(contracts.registerServer, {
    actor: ada,
    registration: notifier('big'),
  })
  expect(state).toBe('running')
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await bench[Symbol.asyncDispose]()
})

// @case B74: a result that is larger than a message of the bus may be
it.each([0.9, 1, 1.1, 7.9, 8.1, 20])('%d MiB arrive whole while small calls go on', async (size) => {
  const bytes = Math.round(size * MIB)
  const big = bench.call('big', 'big', { bytes })
  const small = Array.from({ length: 100 }, (_, index) => bench.call('big', 'echo', { text: `n${index}` }))
  const texts = (await Promise.all(small)).map(({ result }) => result)
  expect(texts).toEqual(Array.from({ length: 100 }, (_, index) => `n${index}`))
  const { result } = await big
  expect(String(result).length).toBe(bytes)
})

it('above the limit of the server is refused with its code, and the connection lives on', async () => {
  await expect(bench.call('big', 'big', { bytes: 70 * MIB })).rejects.toMatchObject({
    code: 'result_too_large',
  })
  expect((await bench.call('big', 'echo', { text: 'after' })).result).toBe('after')
})
