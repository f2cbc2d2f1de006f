import { AppError } from '@althing/protocol/errors'
import { type Attempt, prepare } from './attempt.ts'
import type { Connection, ConnectOptions } from './connection.ts'
import { LiveConnection } from './live-connection.ts'
import type { StdioTransport } from './transport/stdio.ts'

type Prior = 'legacy' | undefined

/**
 * Connects: starts the program or reaches the address, finds out the era, shakes hands. Rejects with an AppError
 * whose text says what to mend (`command_not_found`, `start_failed`, `start_timeout`, `protocol_error`,
 * `needs_auth`, `address_not_allowed`); then nothing of the attempt is left.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const deadline = AbortSignal.timeout(options.startTimeoutMs)
  const signal = AbortSignal.any([options.signal, deadline])
  const prior: Prior = options.knownEra === 'legacy' ? 'legacy' : undefined
  try {
    return await attempt(options, prior, false, signal)
  } catch (error) {
    if (deadline.aborted) {
      throw new AppError('start_timeout', `The server did not answer within ${options.startTimeoutMs} ms.`, {
        cause: error,
      })
    }
    if (options.signal.aborted) throw new AppError('cancelled', 'Connecting was cancelled.', { cause: error })
    const { target } = options
    // Some servers of the older era exit on a request they do not know; they get a second start without the probe.
    const exitedOnProbe = target.kind === 'stdio' && prior === undefined && isExit(error)
    if (exitedOnProbe)
      return attempt(options, 'legacy', false, signal).catch((again) => Promise.reject(startFault(again)))
    if (target.kind === 'http' && target.allowSse && refusesStreamable(error)) {
      return attempt(options, 'legacy', true, signal).catch((again) => Promise.reject(startFault(again)))
    }
    throw startFault(error)
  }
}

async function attempt(
  options: ConnectOptions,
  prior: Prior,
  oldSse: boolean,
  signal: AbortSignal,
): Promise<Connection> {
  const parts: Attempt = prepare(options, oldSse)
  const { client, tap, stdio } = parts
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => {})
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  tap.onerror = () => {}
  try {
    const connecting = client.connect(tap, {
      timeout: options.startTimeoutMs,
      ...(prior === 'legacy' ? { prior: { kind: 'legacy' as const } } : {}),
    })
    connecting.catch(() => {})
    await Promise.race([connecting, aborted.promise])
  } catch (error) {
    await parts.dispose()
    throw parts.fault() ?? exitFault(stdio) ?? error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
  return new LiveConnection(options, parts)
}

function isExit(error: unknown): boolean {
  return error instanceof AppError && error.code === 'start_failed' && error.details.exited === true
}

function exitFault(stdio: StdioTransport | undefined): AppError | undefined {
  if (stdio?.exitedByItself !== true) return undefined
  return new AppError('start_failed', `The server ${stdio.exitReason} before it was ready.`, {
    details: { exited: true },
  })
}

function refusesStreamable(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : ''
  return /HTTP 4\d\d|\b(?:400|404|405)\b|Cannot POST/.test(text)
}

function startFault(error: unknown): AppError {
  if (error instanceof AppError) return error
  const text = error instanceof Error ? error.message : String(error)
  return new AppError('protocol_error', `The server did not shake hands: ${text.slice(0, 300)}`, {
    cause: error,
  })
}
