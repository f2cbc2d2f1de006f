import { AppError } from '@althing/protocol/errors'
import { type Answerer, readAsk } from './ask.ts'
import type { CallClock } from './call-clock.ts'

/** A server that never stops asking must not hold a call for ever. */
const MOST_ROUNDS = 32

interface InputRequired {
  readonly resultType?: unknown
  readonly inputRequests?: unknown
  readonly requestState?: unknown
}

/** What a request is sent again with: the answers, and the server's own state exactly as it gave it. */
export interface Retry {
  readonly inputResponses?: Readonly<Record<string, unknown>>
  readonly requestState?: unknown
}

export function isInputRequired(result: unknown): result is InputRequired {
  return (result as InputRequired | null)?.resultType === 'input_required'
}

/**
 * The multi-round-trip of the 2026-07-28 era: a result that asks for input is answered by sending the request again
 * with the answers. The state that comes along is opaque and goes back unchanged.
 */
export async function withInputRounds<A extends { readonly result: unknown }>(
  send: (retry: Retry) => Promise<A>,
  { answer, clock, signal }: { answer: Answerer; clock: CallClock; signal: AbortSignal },
): Promise<A> {
  let retry: Retry = {}
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const answered = await send(retry)
    if (!isInputRequired(answered.result)) return answered
    const { inputRequests, requestState } = answered.result
    clock.pause()
    try {
      retry = {
        ...(inputRequests === undefined
          ? {}
          : { inputResponses: await answerAll(inputRequests, answer, signal) }),
        ...(requestState === undefined ? {} : { requestState }),
      }
    } finally {
      clock.resume()
    }
  }
  throw new AppError('protocol_error', `The server asked for input more than ${MOST_ROUNDS} times.`)
}

/** The answers under the keys of their questions. */
export async function answerAll(
  requests: unknown,
  answer: Answerer,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const entries = Object.entries((requests ?? {}) as Record<string, unknown>)
  const answers = entries.map(async ([key, raw]) => {
    const ask = readAsk(raw)
    if (ask === undefined) throw new AppError('protocol_error', 'The server asks for what no host answers.')
    try {
      return [key, await answer(ask, signal)] as const
    } catch (error) {
      signal.throwIfAborted()
      if (ask.method !== 'elicitation/create') throw error
      return [key, { action: 'cancel' }] as const
    }
  })
  return Object.fromEntries(await Promise.all(answers))
}
