import { ConfigError } from './config.ts'

/** How long an orderly end may take before the process gives up waiting. */
const STOP_DEADLINE_MS = 15_000

/**
 * Runs a service until SIGTERM or SIGINT, then disposes it. A configuration fault is one sentence and exit code 1.
 * The deadline is the only `process.exit`: everything else ends because nothing is left to do.
 */
export async function run(name: string, start: () => Promise<AsyncDisposable>): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  try {
    await using _service = await start()
    await stopped
    setTimeout(() => {
      console.error(`${name} did not stop within ${STOP_DEADLINE_MS} ms`)
      process.exit(1)
    }, STOP_DEADLINE_MS).unref()
  } catch (error) {
    console.error(error instanceof ConfigError ? `${name}: ${error.message}` : error)
    process.exitCode = 1
  }
}
