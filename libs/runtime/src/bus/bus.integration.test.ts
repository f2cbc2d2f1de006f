import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Stack, startStack } from '@althing/local-stack/stack'
import { runTriage } from '@althing/protocol/bus/agent'
import { callTool, listServers, serverNotified } from '@althing/protocol/bus/gateway'
import type { ServiceName } from '@althing/protocol/define'
import { AppError } from '@althing/protocol/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig, ServiceConfig } from '../config.ts'
import { consume } from '../consume.ts'
import { openLog } from '../log.ts'
import { Bus } from './bus.ts'
import { encode } from './frames.ts'

const HEARTBEAT_MS = 300
const CONNECTION = '01900000-0000-7000-8000-000000000001'
const EVENT_ID = '01900000-0000-7000-8000-000000000002'
const actor = { user: 'u1', role: 'member' as const }
const log = openLog('test', 'test', 'error')
let folder: string
let stack: Stack
let serial = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'althing-bus-'))
  stack = await startStack({ dataDir: folder, durable: false, services: {}, say: () => {} })
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function open(service: ServiceName): Promise<Bus> {
  const env = { ...(await stack.envOf(service)), BUS_HEARTBEAT_MS: String(HEARTBEAT_MS) }
  return Bus.open(service, `test${serial++}`, readConfig(ServiceConfig, env), log)
}

const input = { actor, call_id: EVENT_ID, tool: 'echo', arguments: {} }

describe('a request', () => {
  it('brings the answer, or the error with its code', async () => {
    await using gateway = await open('mcp-gateway')
    await using web = await open('web')
    let fail = false
    gateway.serve(listServers, async () => {
      if (fail) throw new AppError('forbidden', 'not you')
      return { servers: [] }
    })
    await gateway.check()
    expect(await web.call(listServers, { actor })).toEqual({ servers: [] })
    fail = true
    await expect(web.call(listServers, { actor })).rejects.toMatchObject({
      code: 'forbidden',
      message: 'not you',
    })
  })

  it('says nothing of a bug but that it is one', async () => {
    await using gateway = await open('mcp-gateway')
    await using web = await open('web')
    gateway.serve(listServers, async () => {
      throw new TypeError('planted detail')
    })
    await gateway.check()
    const error = await web.call(listServers, { actor }).catch((thrown: AppError) => thrown)
    expect(error).toMatchObject({ code: 'internal' })
    expect(String(error)).not.toContain('planted')
  })

  it('is unavailable at once when nobody serves it', async () => {
    await using web = await open('web')
    const began = performance.now()
    await expect(web.call(listServers, { actor })).rejects.toMatchObject({ code: 'unavailable' })
    expect(performance.now() - began).toBeLessThan(1000)
  })
})

describe('a stream', () => {
  it('carries progress and passes the bytes of its answer unread', async () => {
    await using gateway = await open('mcp-gateway')
    await using web = await open('web')
    const bytes = new TextEncoder().encode('{"not": "what the contract says"}')
    gateway.serveStream(callTool, { connection: CONNECTION }, async (_input, stream) => {
      stream.progress({ progress: 1 })
      return bytes
    })
    await gateway.check()
    const progress: string[] = []
    const answer = await web.stream(callTool, { connection: CONNECTION }, input, {
      onProgress: (frame) => progress.push(new TextDecoder().decode(frame)),
    })
    expect(Buffer.from(answer).equals(Buffer.from(bytes))).toBe(true)
    expect(progress).toEqual(['{"progress":1}'])
  })

  it('outlives many heartbeats, and is cancelled at its owner', async () => {
    await using gateway = await open('mcp-gateway')
    await using web = await open('web')
    const heard = Promise.withResolvers<unknown>()
    gateway.serveStream(callTool, { connection: CONNECTION }, (_input, { signal }) => {
      const work = Promise.withResolvers<Uint8Array>()
      signal.addEventListener('abort', () => {
        heard.resolve(signal.reason)
        work.reject(signal.reason)
      })
      return work.promise
    })
    await gateway.check()
    const stop = new AbortController()
    const call = web.stream(callTool, { connection: CONNECTION }, input, { signal: stop.signal })
    setTimeout(() => stop.abort(), HEARTBEAT_MS * 8)
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    expect(await heard.promise).toMatchObject({ code: 'cancelled' })
  })

  it('notices within a few heartbeats that its owner is gone', async () => {
    const gateway = await open('mcp-gateway')
    await using web = await open('web')
    const begun = Promise.withResolvers<void>()
    gateway.serveStream(callTool, { connection: CONNECTION }, () => {
      begun.resolve()
      return new Promise(() => {})
    })
    await gateway.check()
    const call = web.stream(callTool, { connection: CONNECTION }, input)
    call.catch(() => {})
    await begun.promise
    await gateway.nats.close()
    await expect(call).rejects.toMatchObject({ code: 'owner_lost' })
  })

  it('refuses an answer that the bus does not take, and goes on', async () => {
    await using gateway = await open('mcp-gateway')
    await using web = await open('web')
    let size = 9_000_000
    gateway.serveStream(callTool, { connection: CONNECTION }, async () => encode('x'.repeat(size)))
    await gateway.check()
    await expect(web.stream(callTool, { connection: CONNECTION }, input)).rejects.toMatchObject({
      code: 'result_too_large',
    })
    size = 1_100_000
    expect((await web.stream(callTool, { connection: CONNECTION }, input)).length).toBe(size + 2)
  })

  it('says what is wrong with a question', async () => {
    await using agent = await open('agent')
    await using worker = await open('tic-worker')
    agent.serveStream(runTriage, null, async () => encode({}))
    await agent.check()
    const wrong = { user: 'u1', batch_id: EVENT_ID, events: [], rules: [] }
    await expect(worker.stream(runTriage, {}, wrong)).rejects.toMatchObject({
      code: 'invalid_request',
      message: /events/,
    })
  })
})

describe('a stored event', () => {
  const event = {
    id: EVENT_ID,
    server_id: CONNECTION,
    server: 's',
    owner: 'u1',
    method: 'event/x',
    payload: {},
    received_at: '2026-01-01T00:00:00.000Z',
  }

  it('is kept once per id, comes again after a failure, and ends as a dead letter when it never can be handled', async () => {
    await using gateway = await open('mcp-gateway')
    await using worker = await open('tic-worker')
    const at = { server: CONNECTION }
    await gateway.store(serverNotified, at, { events: [event] }, 'once')
    await gateway.store(serverNotified, at, { events: [event] }, 'once')
    await gateway.store(serverNotified, at, { events: [{ ...event, method: 'event/poison' }] }, 'poison')
    const seen: string[] = []
    const dead = Promise.withResolvers<string>()
    const done = Promise.withResolvers<void>()
    await using _consumer = await consume(worker, serverNotified, {
      durable: 'test',
      most: 1,
      ackWaitMs: 2000,
      log,
      onDead: async (_data, error) => dead.resolve(error.code),
      handle: async ({ events }) => {
        const method = events[0]?.method ?? ''
        seen.push(method)
        if (method === 'event/poison') throw new AppError('invalid_request', 'never')
        if (seen.filter((one) => one === 'event/x').length === 1) throw new AppError('unavailable', 'not now')
        done.resolve()
      },
    })
    expect(await dead.promise).toBe('invalid_request')
    await done.promise
    expect(seen.filter((one) => one === 'event/x')).toHaveLength(2)
  })
})
