import { AppError } from '@althing/protocol/errors'
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node'
import { fromWire } from '../errors.ts'
import { traceHeaders } from '../telemetry.ts'
import type { Mouth } from './answer.ts'
import { decode, ERROR_CODE, FRAME, INSTANCE, OBJECT, toHeaders } from './frames.ts'
import type { Outsized } from './outsized.ts'
import type { Replies } from './replies.ts'

const NO_RESPONDERS = 503

export interface Question {
  readonly subject: string
  readonly body: Uint8Array
  /** Milliseconds without any frame after which waiting ends, and what that means. */
  readonly silenceMs: number
  readonly silence: 'timeout' | 'owner_lost'
  readonly signal: AbortSignal | undefined
  readonly onProgress: ((bytes: Uint8Array) => void) | undefined
  /** Where to send a cancel message, once the instance that works on it is known. */
  readonly cancelSubject: ((instance: string) => string) | undefined
}

/**
 * Sends a question and resolves with the bytes of its answer. Rejects with `unavailable` when nobody serves the
 * subject, `cancelled` when the signal is aborted, the named code after the silence, or the error of the answer.
 */
export function ask(
  nats: NatsConnection,
  { outbox, outsized }: Pick<Mouth, 'outbox' | 'outsized'>,
  replies: Replies,
  question: Question,
): Promise<Uint8Array> {
  const { signal, silenceMs, onProgress, cancelSubject } = question
  if (signal?.aborted) return Promise.reject(cancelledBy(signal))
  if (nats.isClosed()) return Promise.reject(new AppError('unavailable', 'This process has left the bus'))
  if (question.body.length > (nats.info?.max_payload ?? Number.POSITIVE_INFINITY)) {
    return Promise.reject(
      new AppError('too_large', `${question.body.length} bytes are more than the bus takes`),
    )
  }
  return new Promise((resolve, reject) => {
    let instance: string | undefined
    const reply = replies.expect(onFrame)
    const silence = setTimeout(() => {
      finish()
      reject(new AppError(question.silence, `no sign of life for ${silenceMs} ms on ${question.subject}`))
    }, silenceMs)
    signal?.addEventListener('abort', onAbort, { once: true })

    function finish(): void {
      clearTimeout(silence)
      replies.release(reply)
      signal?.removeEventListener('abort', onAbort)
    }

    function onAbort(): void {
      // Before `accepted` nobody is known who could be told: the frame that is still to come sends the cancel.
      if (instance !== undefined) sendCancel(instance)
      else if (cancelSubject) return
      finish()
      if (signal) reject(cancelledBy(signal))
    }

    function sendCancel(to: string): void {
      if (cancelSubject) outbox.publish(cancelSubject(to), Buffer.from(reply))
    }

    function onFrame(message: Msg): void {
      const h = message.headers
      if (h?.has(OBJECT)) {
        finish()
        resolve(fetched(outsized, h.get(OBJECT)))
      } else if (h === undefined || !(h.has(FRAME) || h.has(ERROR_CODE) || h.code === NO_RESPONDERS)) {
        finish()
        resolve(message.data)
      } else if (h.has(ERROR_CODE) || h.code === NO_RESPONDERS) {
        finish()
        reject(failureOf(message, h, question.subject))
      } else {
        silence.refresh()
        instance = h.get(INSTANCE)
        if (signal?.aborted) onAbort()
        else if (h.get(FRAME) === 'progress') onProgress?.(message.data)
      }
    }

    const trace = traceHeaders()
    const headers = trace === null ? {} : { headers: toHeaders(trace) }
    outbox.publish(question.subject, question.body, { reply, ...headers })
  })
}

async function fetched(outsized: Outsized | undefined, name: string): Promise<Uint8Array> {
  const bytes = await outsized?.get(name)
  // It ran, and its answer is lost: nobody may take that for "nothing was delivered".
  if (bytes === undefined) throw new AppError('owner_lost', 'The answer could not be fetched any more')
  return bytes
}

function failureOf(message: Msg, h: MsgHdrs, subject: string): AppError {
  if (h.has(ERROR_CODE)) return fromWire(decode(message.data))
  return new AppError('unavailable', `nobody serves ${subject} at the moment`)
}

function cancelledBy(signal: AbortSignal): AppError {
  if (signal.reason instanceof AppError) return signal.reason
  return new AppError('cancelled', 'It was cancelled', { cause: signal.reason })
}
