import { randomUUID } from 'node:crypto'
import { AppError } from '@althing/protocol/errors'
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { asAppError, logFailure } from '../errors.ts'
import type { Log } from '../log.ts'
import { encode, encodeError, errorHeaders, frameHeaders, OBJECT, toHeaders } from './frames.ts'
import type { Outbox } from './outbox.ts'
import type { Outsized } from './outsized.ts'

/** How a process speaks: what it says goes out by the outbox, the connection knows the limits. */
export interface Mouth {
  readonly nats: NatsConnection
  readonly outbox: Outbox
  readonly outsized: Outsized | undefined
}

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

/** Answers in a message, or by an object where the answer is larger than a message may be. */
export async function answer(
  { nats, outbox, outsized }: Mouth,
  message: Msg,
  bytes: Uint8Array,
): Promise<void> {
  if (!message.reply) return
  const most = nats.info?.max_payload ?? Number.POSITIVE_INFINITY
  if (bytes.length <= most) outbox.publish(message.reply, bytes)
  else if (outsized !== undefined) {
    const name = randomUUID()
    await outsized.put(name, bytes)
    outbox.publish(message.reply, new Uint8Array(), { headers: toHeaders({ [OBJECT]: name }) })
  } else {
    const detail = `The result has ${bytes.length} bytes; the limit is ${most}`
    refuse(outbox, message, new AppError('result_too_large', detail))
  }
}

export function refuse(outbox: Outbox, message: Msg, error: AppError): void {
  if (message.reply) outbox.publish(message.reply, encodeError(error), { headers: errorHeaders(error) })
}

/** Answers a request with what `work` gives, or with its error. */
export async function answerRequest(
  mouth: Mouth,
  log: Log,
  message: Msg,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await answer(mouth, message, encode(await work()))
  } catch (thrown) {
    const error = asAppError(thrown)
    logFailure(log, error, message.subject)
    refuse(mouth.outbox, message, error)
  }
}

export interface StreamTools {
  readonly signal: AbortSignal
  progress(value: unknown): void
}

/** Answers a stream: `accepted` and heartbeats while `work` lasts, then its bytes or its error. */
export async function answerStream(
  options: {
    readonly mouth: Mouth
    readonly log: Log
    readonly instance: string
    readonly heartbeatMs: number
    readonly open: OpenWork
  },
  message: Msg,
  work: (tools: StreamTools) => Promise<Uint8Array>,
): Promise<void> {
  const { mouth, log, instance, heartbeatMs, open } = options
  const reply = message.reply
  if (!reply) return
  const signal = open.begin(reply)
  const send = (frame: 'accepted' | 'heartbeat' | 'progress', body?: Uint8Array) =>
    mouth.outbox.publish(reply, body ?? new Uint8Array(), { headers: frameHeaders(frame, instance) })
  let beat: NodeJS.Timeout | undefined
  const accept = setTimeout(() => {
    send('accepted')
    beat = setInterval(() => send('heartbeat'), heartbeatMs)
  }, ACCEPT_AFTER_MS)
  try {
    await answer(mouth, message, await work({ signal, progress: (value) => send('progress', encode(value)) }))
  } catch (thrown) {
    const error = asAppError(thrown)
    logFailure(log, error, message.subject)
    refuse(mouth.outbox, message, error)
  } finally {
    clearTimeout(accept)
    clearInterval(beat)
    open.end(reply)
  }
}
