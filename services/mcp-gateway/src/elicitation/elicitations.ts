import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '@althing/protocol/errors'
import type { Clock } from '@althing/runtime/clock'
import type { SealKey } from '@althing/runtime/seal'
import { elicitationOf, insertElicitation, settleElicitation } from '../db/elicitations.ts'
import type { GatewayDb } from '../db/tables.ts'
import { mustFit, type Question, readQuestion } from './form.ts'

export type Action = 'accept' | 'decline' | 'cancel'

/** On whose behalf a server asks. */
export interface AskedFor {
  readonly user: string
  readonly serverId: string
  readonly callId: string
  readonly sessionId: string | undefined
}

export interface ElicitationsOptions {
  readonly db: GatewayDb
  readonly clock: Clock
  readonly instance: string
  readonly key: SealKey
  /** Milliseconds that a person has. */
  readonly deadlineMs: number
  /** What waits for a person changed. */
  readonly onChanged: (user: string) => void
}

interface Pending {
  readonly user: string
  readonly question: Question
  resolve(answer: McpAnswer): void
}

/** The answer as the protocol has it. */
type McpAnswer = { readonly action: Action; readonly content?: unknown }

/**
 * What servers ask people at this moment. Who waits is held in memory, by this instance alone; the card is a row, so
 * that every replica can show it. An answer is opened, checked and handed on here, and kept nowhere.
 */
export class Elicitations {
  readonly #options: ElicitationsOptions
  readonly #pending = new Map<string, Pending>()

  constructor(options: ElicitationsOptions) {
    this.#options = options
  }

  get open(): number {
    return this.#pending.size
  }

  /** Shows a card and waits for its answer; `cancel` after the deadline. Withdrawn when the signal ends. */
  async ask(asked: AskedFor, params: Record<string, unknown>, signal: AbortSignal): Promise<McpAnswer> {
    const { db, clock, instance, key, deadlineMs, onChanged } = this.#options
    const question = readQuestion(params)
    const id = randomUUIDv7()
    const answered = Promise.withResolvers<McpAnswer>()
    this.#pending.set(id, { user: asked.user, question, resolve: answered.resolve })
    const over = new AbortController()
    const expired = clock.sleep(deadlineMs, AbortSignal.any([signal, over.signal])).then(() => undefined)
    expired.catch(() => {})
    try {
      await insertElicitation(db, {
        id,
        instance,
        user: asked.user,
        server_id: asked.serverId,
        call_id: asked.callId,
        session_id: asked.sessionId ?? null,
        question,
        seal: { key_id: key.id, public_key: key.publicKey },
        deadline_at: new Date(clock.now() + deadlineMs),
      })
      onChanged(asked.user)
      const answer = await Promise.race([answered.promise, expired])
      await settleElicitation(db, id, answer ? 'answered' : 'expired').catch(() => {})
      return answer ?? { action: 'cancel' }
    } catch (error) {
      await settleElicitation(db, id, 'withdrawn').catch(() => {})
      throw error
    } finally {
      over.abort()
      this.#pending.delete(id)
      onChanged(asked.user)
    }
  }

  /**
   * Answers a card, once. Throws `not_found`, `conflict` when it was answered or withdrawn, or `invalid_request` that
   * names the field; then it stays open.
   */
  async answer(user: string, id: string, action: Action, sealed: string | undefined): Promise<void> {
    const pending = this.#pending.get(id)
    if (pending === undefined || pending.user !== user) {
      const known = await elicitationOf(this.#options.db, user, id)
      if (known === undefined) throw new AppError('not_found', 'There is no such question.')
      throw new AppError('conflict', 'The question was answered or withdrawn already.')
    }
    const content = action === 'accept' ? this.#contentOf(id, sealed, pending.question) : undefined
    this.#pending.delete(id)
    pending.resolve(content === undefined ? { action } : { action, content })
  }

  #contentOf(
    id: string,
    sealed: string | undefined,
    question: Question,
  ): Record<string, unknown> | undefined {
    if (question.mode === 'url') return undefined
    if (question.unsupported)
      throw new AppError('invalid_request', 'The form has fields that cannot be shown: decline it.')
    if (sealed === undefined) return mustFit({}, question)
    let content: unknown
    try {
      content = JSON.parse(this.#options.key.open(sealed, id))
    } catch {
      throw new AppError('invalid_request', 'sealed: it does not open with the key of this card')
    }
    return mustFit(content, question)
  }
}
