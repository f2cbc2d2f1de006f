import type { RawAnswer } from '@althing/mcp-client/tap'
import { AppError } from '@althing/protocol/errors'
import { encode } from '@althing/runtime/bus/frames'

const HEAD = Buffer.from('{"result":')
const TAIL = Buffer.from('}')

/** A RawOutcome around a server's own bytes, which pass through as they came where that is possible. */
export function rawOutcome({ result, bytes }: RawAnswer): Uint8Array {
  if (bytes === undefined) return encode({ result: result ?? {} })
  return Buffer.concat([HEAD, bytes, TAIL])
}

/** A server's JSON-RPC error as a RawOutcome; every other failure is thrown on. */
export function rawError(error: unknown): Uint8Array {
  if (!(error instanceof AppError) || typeof error.details.rpc_code !== 'number') throw error
  const { rpc_code: code, rpc_message: message, rpc_data: data } = error.details
  return encode({
    error: { code, message: String(message ?? error.message), ...(data === undefined ? {} : { data }) },
  })
}
