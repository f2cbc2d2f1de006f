import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { Models } from '../llm/models.ts'

export function setDefaultModel({ models }: { models: Models }) {
  return async ({ actor, model }: { actor: Actor; model: string }) => {
    if (actor.role !== 'admin')
      throw new AppError('forbidden', 'Only an administrator chooses the default model.')
    await models.choose(model)
    return models.list()
  }
}
