import type { Actor } from '@althing/protocol/model/actor'
import type { Action, Elicitations } from '../elicitation/elicitations.ts'

type Input = { actor: Actor; elicitation: string; action: Action; sealed?: string | undefined }

export function answerElicitation(elicitations: Elicitations) {
  return async ({ actor, elicitation, action, sealed }: Input): Promise<Record<string, never>> => {
    await elicitations.answer(actor.user, elicitation, action, sealed)
    return {}
  }
}
