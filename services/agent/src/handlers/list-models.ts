import type { Models } from '../llm/models.ts'

export function listModels({ models }: { models: Models }) {
  return () => models.list()
}
