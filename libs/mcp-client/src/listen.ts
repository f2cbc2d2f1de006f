import { setTimeout as wait } from 'node:timers/promises'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** A subscription that stood this long ended for a reason of the network, not of ours. */
const STOOD_MS = 60_000

export interface ListenOptions {
  /** Sends `subscriptions/listen`; resolves or rejects when the server ends it. */
  readonly listen: (signal: AbortSignal) => Promise<unknown>
  /** A subscription was lost: something may have changed meanwhile. */
  readonly onGap: () => void
  readonly signal: AbortSignal
}

/**
 * Keeps a `subscriptions/listen` of the 2026-07-28 era open until the signal: it is opened again quietly, with
 * growing pauses, when a proxy or the server ends it. A server that refuses the method is left alone.
 */
export async function keepListening({ listen, onGap, signal }: ListenOptions): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS
  while (!signal.aborted) {
    const began = performance.now()
    const refused = await listen(signal).then(
      () => false,
      (error: unknown) => isRefusal(error),
    )
    if (refused || signal.aborted) return
    if (performance.now() - began >= STOOD_MS) pauseMs = FIRST_PAUSE_MS
    await wait(pauseMs, undefined, { signal }).catch(() => {})
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)
    if (!signal.aborted) onGap()
  }
}

function isRefusal(error: unknown): boolean {
  const { details } = error as { details?: { rpc_code?: unknown } }
  return details?.rpc_code === -32601 || details?.rpc_code === -32602
}
