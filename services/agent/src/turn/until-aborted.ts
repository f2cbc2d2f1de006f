/** A stop is felt at once, even where the other side takes its time to hear of it. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // First of all: what is not waited for any more may still fail, and an unheard rejection ends the process.
  work.catch(() => {})
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
