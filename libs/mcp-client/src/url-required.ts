import { AppError } from '@althing/protocol/errors'
import type { Answerer } from './ask.ts'

const URL_ELICITATION_REQUIRED = -32042

/** The addresses that a server wants a person to visit before it takes the call (2025-11-25); none: another error. */
export function urlsRequired(error: unknown): readonly Record<string, unknown>[] {
  if (!(error instanceof AppError) || error.details.rpc_code !== URL_ELICITATION_REQUIRED) return []
  const { elicitations } = (error.details.rpc_data ?? {}) as { elicitations?: unknown }
  return Array.isArray(elicitations)
    ? elicitations.filter((one) => typeof one === 'object' && one !== null)
    : []
}

/** Asks for every address. Throws `upstream_error` when a person does not want to go there. */
export async function visitAll(
  elicitations: readonly Record<string, unknown>[],
  answer: Answerer,
  signal: AbortSignal,
): Promise<void> {
  for (const elicitation of elicitations) {
    const params = { ...elicitation, mode: 'url' }
    const { action } = ((await answer({ method: 'elicitation/create', params }, signal)) ?? {}) as {
      action?: unknown
    }
    if (action !== 'accept')
      throw new AppError('upstream_error', 'The server wants an address to be visited first, and it was not.')
  }
}
