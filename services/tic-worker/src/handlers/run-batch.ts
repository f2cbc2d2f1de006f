import type { Actor } from '@althing/protocol/model/actor'

interface RunDeps {
  readonly runNow: (user: string) => Promise<boolean>
  /** The next batch that is claimed for this person, or undefined after the time. */
  readonly nextClaim: (user: string, withinMs: number) => Promise<string | undefined>
}

const CLAIM_WITHIN_MS = 2_000

/** Starts a person's run in this worker and answers once its first batch is claimed. */
export function runBatch({ runNow, nextClaim }: RunDeps) {
  return async ({ actor }: { actor: Actor }): Promise<{ batch_id?: string }> => {
    const claimed = nextClaim(actor.user, CLAIM_WITHIN_MS)
    if (!(await runNow(actor.user))) return {}
    const batch = await claimed
    return batch === undefined ? {} : { batch_id: batch }
  }
}
