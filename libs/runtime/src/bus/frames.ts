import type { AppError } from '@althing/protocol/errors'
import { ERRORS } from '@althing/protocol/errors'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { toWire } from '../errors.ts'

/**
 * How answers look on the wire. A plain message is the (final) answer itself; anything else says in a header
 * what it is. Errors follow the NATS service convention: a numeric code and a short text in headers.
 */
export const FRAME = 'Althing-Frame'
export const INSTANCE = 'Althing-Instance'
/** The answer is an object of this name: it was larger than a message may be. */
export const OBJECT = 'Althing-Object'
export const ERROR_CODE = 'Nats-Service-Error-Code'
export const ERROR_TEXT = 'Nats-Service-Error'

export type Frame = 'accepted' | 'heartbeat' | 'progress'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export function encode(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

export function decode(bytes: Uint8Array): unknown {
  return bytes.length === 0 ? undefined : JSON.parse(decoder.decode(bytes))
}

export function frameHeaders(frame: Frame, instance: string): MsgHdrs {
  const h = headers()
  h.set(FRAME, frame)
  h.set(INSTANCE, instance)
  return h
}

export function errorHeaders(error: AppError): MsgHdrs {
  const h = headers()
  h.set(ERROR_CODE, String(ERRORS[error.code].bus))
  h.set(ERROR_TEXT, error.code)
  return h
}

export function encodeError(error: AppError): Uint8Array {
  return encode(toWire(error))
}

export function toHeaders(values: Readonly<Record<string, string>>): MsgHdrs {
  const h = headers()
  for (const [name, value] of Object.entries(values)) h.set(name, value)
  return h
}
