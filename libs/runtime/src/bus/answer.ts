import { AppError } from '@althing/protocol/errors'
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node'
import { asAppError, logFailure } from '../errors.ts'
import type { Log } from '../log.ts'
import { encode, encodeError, errorHeaders, frameHeaders } from './frames.ts'

/** Work that answers within this time needs no `accepted`: the answer says it all, with one message less. */
const ACCEPT_AFTER_MS = 50

/** The questions a process works on now, so that a cancel message finds its signal. */
export class OpenWork {
  readonly #byReply = new Map<string, AbortController>()

  begin(reply: string): AbortSignal {
    const controller = new AbortController()
    this.#byReply.set(reply, controller)
    return controller.signal
  }

  end(reply: string): void {
    this.#byReply.delete(reply)
  }

  cancel(reply: string): void {
    this.#byReply.get(reply)?.abort(new AppError('cancelled', 'The caller cancelled it'))
  }

  cancelAll(reason: AppError): void {
    for (const controller of this.#byReply.values()) controller.abort(reason)
  }

  get size(): number {
    return this.#byReply.size
  }
}

/** Publishes an answer, unless the connection is closed: then nobody is left to tell, and a throw would end the process. */
function say(nats: NatsConnection, subject: string, bytes: Uint8Array, headers?: MsgHdrs): void {
  if (!nats.isClosed()) nats.publish(subject, bytes, headers === undefined ? {} : { headers })
}

export function answer(nats: NatsConnection, message: Msg, bytes: Uint8Array): void {
  if (!message.reply) return
  const most = nats.info?.max_payload ?? Number.POSITIVE_INFINITY
  if (bytes.length > most) {
    const detail = `The result has ${bytes.length} bytes; the limit is ${most}`
    refuse(nats, message, new AppError('result_too_large', detail))
  } else {
    say(nats, message.reply, bytes)
  }
}

export function refuse(nats: NatsConnection, message: Msg, error: AppError): void {
  if (message.reply) say(nats, message.reply, encodeError(error), errorHeaders(error))
}

/** Answers a request with what `work` gives, or with its error. */
export async function answerRequest(
  nats: NatsConnection,
  log: Log,
  message: Msg,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    answer(nats, message, encode(await work()))
  } catch (thrown) {
    const error = asAppError(thrown)
    logFailure(log, error, message.subject)
    refuse(nats, message, error)
  }
}

export interface StreamTools {
  readonly signal: AbortSignal
  progress(value: unknown): void
}

/** Answers a stream: `accepted` and heartbeats while `work` lasts, then its bytes or its error. */
export async function answerStream(
  options: {
    readonly nats: NatsConnection
    readonly log: Log
    readonly instance: string
    readonly heartbeatMs: number
    readonly open: OpenWork
  },
  message: Msg,
  work: (tools: StreamTools) => Promise<Uint8Array>,
): Promise<void> {
  const { nats, log, instance, heartbeatMs, open } = options
  const reply = message.reply
  if (!reply) return
  const signal = open.begin(reply)
  const send = (frame: 'accepted' | 'heartbeat' | 'progress', body?: Uint8Array) =>
    say(nats, reply, body ?? new Uint8Array(), frameHeaders(frame, instance))
  let beat: NodeJS.Timeout | undefined
  const accept = setTimeout(() => {
    send('accepted')
    beat = setInterval(() => send('heartbeat'), heartbeatMs)
  }, ACCEPT_AFTER_MS)
  try {
    answer(nats, message, await work({ signal, progress: (value) => send('progress', encode(value)) }))
  } catch (thrown) {
    const error = asAppError(thrown)
    logFailure(log, error, message.subject)
    refuse(nats, message, error)
  } finally {
    clearTimeout(accept)
    clearInterval(beat)
    open.end(reply)
  }
}
