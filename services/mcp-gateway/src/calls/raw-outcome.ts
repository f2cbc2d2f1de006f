import type { RawAnswer } from '@althing/mcp-client/tap'
import { AppError } from '@althing/protocol/errors'
import { encode } from '@althing/runtime/bus/frames'

const HEAD = Buffer.from('{"result":')
const TAIL = Buffer.from('}')
const COMPLETE = Buffer.from('{"result":{"resultType":"complete",')
const EMPTY = Buffer.from('{"result":{"resultType":"complete"}}')
const OPENS = 0x7b
const CLOSES = 0x7d

/**
 * A RawOutcome around a server's own bytes, which pass through as they came where that is possible. A client of the
 * 2026-07-28 era must be told of a server of the older one that its result is complete: `complete`.
 */
export function rawOutcome({ result, bytes }: RawAnswer, complete: boolean): Uint8Array {
  if (bytes === undefined) {
    const { resultType } = (result ?? {}) as { resultType?: unknown }
    const missing = complete && resultType === undefined
    return encode({ result: missing ? { resultType: 'complete', ...(result as object) } : (result ?? {}) })
  }
  if (!complete || bytes[0] !== OPENS) return Buffer.concat([HEAD, bytes, TAIL])
  return bytes[1] === CLOSES ? EMPTY : Buffer.concat([COMPLETE, bytes.subarray(1), TAIL])
}

/** A server's JSON-RPC error as a RawOutcome; every other failure is thrown on. */
export function rawError(error: unknown): Uint8Array {
  if (!(error instanceof AppError) || typeof error.details.rpc_code !== 'number') throw error
  const { rpc_code: code, rpc_message: message, rpc_data: data } = error.details
  return encode({
    error: { code, message: String(message ?? error.message), ...(data === undefined ? {} : { data }) },
  })
}
