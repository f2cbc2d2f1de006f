import { randomUUIDv7 } from 'node:crypto'
import { callTool } from '@althing/protocol/bus/gateway'
import { requestServer } from '@althing/protocol/bus/gateway-relay'
import type { CallRetry, ServerMethod } from '@althing/protocol/model/relay'
import type { Bus } from '@althing/runtime/bus/bus'
import { decode } from '@althing/runtime/bus/frames'
import type { Connections } from '../connections.ts'
import { type Exchange, passFrames, progressTokenOf } from './exchange.ts'
import { type Json, mustBeArguments, objectOf, RpcError, statusOf } from './message.ts'

const ERROR_HEAD = '{"error"'

/** The way of a client's requests to a server and of the server's bytes back. */
export class Relay {
  readonly #bus: Bus
  readonly #connections: Connections

  constructor(bus: Bus, connections: Connections) {
    this.#bus = bus
    this.#connections = connections
  }

  /** Calls a tool; gives the bytes of a RawOutcome. The hot path: nothing of the result is read here. */
  callTool(exchange: Exchange, server: string, tool: string): Promise<Uint8Array> {
    const { actor, params, side, signal } = exchange
    const retry = retryIn(params)
    const input = {
      actor,
      call_id: randomUUIDv7(),
      tool,
      arguments: mustBeArguments(params),
      form: 'raw' as const,
      side,
      progress: progressTokenOf(params) !== undefined,
      ...(retry === undefined ? {} : { retry }),
    }
    return this.#connections.run(
      { actor, name: server },
      (connection) =>
        this.#bus.stream(callTool, { connection }, input, { signal, onProgress: passFrames(exchange) }),
      signal,
    )
  }

  /** Passes a request on with these parameters; gives the bytes of a RawOutcome. */
  request(exchange: Exchange, server: string, method: ServerMethod, params: Json): Promise<Uint8Array> {
    const { actor, side, signal } = exchange
    const { _meta, ...rest } = params
    const input = { actor, call_id: randomUUIDv7(), method, params: rest, side }
    return this.#connections.run(
      { actor, name: server },
      (connection) =>
        this.#bus.stream(requestServer, { connection }, input, { signal, onProgress: passFrames(exchange) }),
      signal,
    )
  }

  /** As `request`, with the result read. Throws the server's error as an `RpcError`. */
  async read(exchange: Exchange, server: string, method: ServerMethod, params: Json): Promise<Json> {
    const { result, error } = objectOf(decode(await this.request(exchange, server, method, params)))
    if (error !== undefined) {
      const { code, message, data } = objectOf(error)
      throw new RpcError(Number(code), String(message), data)
    }
    return objectOf(result)
  }
}

/** Ends an exchange with a server's own bytes. */
export function endWith({ reply, modern }: Exchange, bytes: Uint8Array): void {
  const failed =
    Buffer.from(bytes.buffer, bytes.byteOffset, ERROR_HEAD.length).toString('latin1') === ERROR_HEAD
  const { error } = failed && modern ? objectOf(decode(bytes)) : {}
  reply.outcome(bytes, error === undefined ? 200 : statusOf(Number(objectOf(error).code), true))
}

function retryIn({ inputResponses, requestState }: Json): CallRetry | undefined {
  if (inputResponses === undefined && requestState === undefined) return undefined
  return {
    ...(inputResponses === undefined ? {} : { inputResponses: objectOf(inputResponses) }),
    ...(requestState === undefined ? {} : { requestState }),
  }
}
