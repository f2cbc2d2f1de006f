import type { Actor } from '@althing/protocol/model/actor'
import type { InlineAsks } from '../calls/inline-asks.ts'

type Input = { actor: Actor; ask: string; result?: unknown; refused?: boolean | undefined }

export function answerAsk(asks: InlineAsks) {
  return async ({ actor, ask, result, refused = false }: Input): Promise<Record<string, never>> => {
    asks.answer(actor.user, ask, { result, refused })
    return {}
  }
}
