import type { LookupAddress, lookup } from 'node:dns'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { guardedWebFetch } from '../auth/web-fetch.ts'
import { guardedAgent, isAllowed } from './address-guard.ts'

const open = { loopback: true, private: true }
const closed = { loopback: false, private: false }

// @case B80: addresses that must not be reached
describe('the address guard', () => {
  it.each([
    '169.254.169.254',
    '169.254.1.1',
    'fe80::1',
    'fd00:ec2::254',
    '0.0.0.0',
    '::',
    '224.0.0.1',
    '255.255.255.255',
    '::ffff:169.254.169.254',
  ])('never lets %s through', (address) => expect(isAllowed(address, open)).toBe(false))

  it.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '192.168.0.1',
    '172.16.0.1',
    'fc00::1',
    '100.64.0.1',
  ])('lets %s through by policy only', (address) => {
    expect(isAllowed(address, open)).toBe(true)
    expect(isAllowed(address, closed)).toBe(false)
  })

  it.each(['93.184.216.34', '2606:4700::1111'])('lets the public %s through', (address) => {
    expect(isAllowed(address, closed)).toBe(true)
  })

  it.each(['::7f00:1', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', 'fec0::1', '100::1'])(
    'never lets %s through, which may mean an inner address',
    (address) => expect(isAllowed(address, open)).toBe(false),
  )

  const octet = fc.integer({ min: 0, max: 255 })
  const inner = fc.oneof(
    fc.tuple(fc.constant(127), octet, octet, octet),
    fc.tuple(fc.constant(10), octet, octet, octet),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
    fc.tuple(fc.constant(0), octet, octet, octet),
  )
  type Octets = [number, number, number, number]
  const numberOf = (octets: Octets) => octets.reduce((sum, part) => sum * 256 + part, 0)
  const spellings = (octets: Octets) => [
    octets.join('.'),
    String(numberOf(octets)),
    `0x${numberOf(octets).toString(16)}`,
    octets.map((part) => `0${part.toString(8)}`).join('.'),
    octets.map((part) => `0x${part.toString(16)}`).join('.'),
    `${octets.join('.')}.`,
    `[::ffff:${octets.join('.')}]`,
    `[::${octets.join('.')}]`,
  ]

  // @requirement R47
  it('knows an inner address however it is spelled', () => {
    fc.assert(
      fc.property(inner, (octets) => {
        for (const spelling of spellings(octets)) {
          const { hostname } = new URL(`http://${spelling}/`)
          expect(isAllowed(hostname.replace(/^\[|\]$/g, ''), closed)).toBe(false)
        }
      }),
    )
  })

  it('says the same of an address as of its mapped form', () => {
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), fc.boolean(), (octets, loopback) => {
        const policy = { loopback, private: false }
        const address = octets.join('.')
        expect(isAllowed(`::ffff:${address}`, policy)).toBe(isAllowed(address, policy))
      }),
    )
  })
})

describe('a guarded connection', () => {
  const answering = (...answers: LookupAddress[][]) => {
    let asked = 0
    const resolve = (_name: string, _options: unknown, done: (...args: unknown[]) => void) => {
      const answer = answers[Math.min(asked++, answers.length - 1)]
      if (answer?.length === 0) done(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))
      else done(null, answer)
    }
    return resolve as unknown as typeof lookup
  }
  const faultOf = async (resolve: typeof lookup, policy = closed) => {
    const agent = guardedAgent(policy, resolve)
    const request = agent.request({ origin: 'http://inner.example:9', path: '/', method: 'GET' })
    const error = await request.catch((thrown: unknown) => thrown)
    await agent.destroy()
    return error
  }
  const loopback = { address: '127.0.0.1', family: 4 }

  it('tells a stranger the same of an inner name as of none', async () => {
    const [inner, none] = [await faultOf(answering([loopback])), await faultOf(answering([]))]
    expect(inner).toMatchObject({ code: 'start_failed', message: (none as Error).message })
    expect(await faultOf(answering([]), open)).toMatchObject({ code: 'ENOTFOUND' })
  })

  it('looks at each answer of the name server that it connects by', async () => {
    const agent = guardedAgent(
      { loopback: true, private: false },
      answering([loopback], [{ address: '10.0.0.1', family: 4 }]),
    )
    const ask = () => agent.request({ origin: 'http://turning.example:9', path: '/', method: 'GET' })
    await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(ask()).rejects.toMatchObject({ code: 'start_failed' })
    await agent.destroy()
  })

  it.each([
    'http://localhost./',
    'http://LOCALHOST:9/',
    'http://0/',
    'http://0x7f.1/',
    'http://017700000001/',
  ])('refuses %s', async (url) => {
    await using fetch = guardedWebFetch(closed)
    await expect(fetch(url)).rejects.toMatchObject({
      code: expect.stringMatching(/address_not_allowed|start_failed/),
      message: expect.not.stringContaining('ECONNREFUSED'),
    })
  })

  it.each(['file:///etc/passwd', 'gopher://127.0.0.1:9/'])('speaks nothing but http: %s', async (url) => {
    await using fetch = guardedWebFetch({ loopback: true, private: true })
    await expect(fetch(url)).rejects.toThrow()
  })
})
