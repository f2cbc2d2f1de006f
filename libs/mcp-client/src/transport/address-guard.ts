import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { AppError } from '@althing/protocol/errors'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'

/** Which addresses besides public ones may be reached. Link-local and cloud metadata addresses never. */
export interface AddressPolicy {
  readonly loopback: boolean
  readonly private: boolean
}

const NEVER = new Set(['linkLocal', 'multicast', 'broadcast', 'unspecified', 'reserved'])
const METADATA = new Set(['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16'])
const PRIVATE = new Set(['private', 'uniqueLocal', 'carrierGradeNat'])

/** Whether an address, as it will be connected to, is within the policy. */
export function isAllowed(address: string, policy: AddressPolicy): boolean {
  const parsed = ipaddr.process(address)
  const range: string = parsed.range()
  if (METADATA.has(parsed.toString()) || NEVER.has(range)) return false
  if (range === 'loopback') return policy.loopback
  if (PRIVATE.has(range)) return policy.private
  return range === 'unicast' && (!(parsed instanceof ipaddr.IPv6) || isGlobalUnicast(parsed))
}

/** 2000::/3; what lies outside, such as `::7f00:1`, has old ways to mean an inner address. */
function isGlobalUnicast({ parts }: ipaddr.IPv6): boolean {
  return ((parts[0] ?? 0) & 0xe000) === 0x2000
}

/**
 * A pooled dispatcher that checks the very address it connects to: the name is resolved once, here, so that a
 * second answer of the name server, a decimal address or a mapped one changes nothing.
 */
export function guardedAgent(policy: AddressPolicy, resolve: typeof systemLookup = systemLookup): Agent {
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const allowed = error ? [] : addresses.filter(({ address }) => isAllowed(address, policy))
      const [first] = allowed
      if (first === undefined) return callback(nameFault(hostname, policy, error), '', 0)
      if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
  const connect = buildConnector({ lookup, timeout: 10_000, keepAlive: true })
  return new Agent({
    // An address that is given as numbers is never looked up, so it is checked here.
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (ipaddr.isValid(host) && !isAllowed(host, policy)) return callback(refused(), null)
      connect(options, callback)
    },
    headersTimeout: 0,
    bodyTimeout: 0,
    connections: 256,
    keepAliveTimeout: 30_000,
  })
}

/** The fault of a request that did not get through to `url`. */
export function unreachable(url: URL, cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const code = (cause as { code?: string }).code ?? (cause instanceof Error ? cause.message : 'unknown')
  return new AppError('start_failed', `${url.host} cannot be reached (${code}).`, { cause })
}

/** Whoever may not reach inner networks does not learn which names there are in them: no such name, or no right. */
function nameFault(hostname: string, policy: AddressPolicy, error: Error | null): Error {
  const tells = (policy.loopback && policy.private) || /^(.*\.)?localhost\.?$/i.test(hostname)
  if (tells) return error ?? refused()
  return new AppError('start_failed', `${hostname} has no address that can be reached from here.`)
}

function refused(): AppError {
  return new AppError('address_not_allowed', 'The address may not be reached from here.')
}
