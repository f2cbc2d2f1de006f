import type { Clock } from '@althing/runtime/clock'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Identities } from '../auth/identities.ts'

const HEARTBEAT_MS = 15_000
/** A client that lets this many bytes wait is cut off; it comes back and resumes. */
const MOST_BUFFERED = 8_388_608

/** An open stream of server-sent events. */
interface EventStream {
  send(text: string): void
  /** Resolves when the client is gone, or was cut off. */
  readonly ended: Promise<void>
}

export type StreamOpener = (
  request: FastifyRequest,
  reply: FastifyReply,
  /** The id that a heartbeat carries, so that a quiet client does not fall behind. */
  position?: () => string,
) => EventStream

/** All streams of server-sent events of this process: kept alive, checked for their right to be, ended at the end. */
export class EventStreams implements Disposable {
  readonly #identities: Identities
  readonly #clock: Clock
  readonly #stopping = new AbortController()

  constructor(identities: Identities, clock: Clock) {
    this.#identities = identities
    this.#clock = clock
  }

  readonly open: StreamOpener = (request, reply, position) => {
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      ...definedHeaders(reply),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    raw.write('retry: 1000\n\n')
    const closed = new AbortController()
    const end = () => raw.end()
    this.#stopping.signal.addEventListener('abort', end, { once: true })
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const onClose = () => {
      this.#stopping.signal.removeEventListener('abort', end)
      closed.abort()
      resolve()
    }
    raw.once('close', onClose)
    // The client may have gone before the stream was opened.
    if (raw.destroyed) onClose()
    const send = (text: string): void => {
      if (raw.writableEnded || raw.destroyed) return
      raw.write(text)
      if (raw.writableLength > MOST_BUFFERED) raw.destroy()
    }
    void this.#keepAlive(request, closed.signal, end, () => {
      send(position ? `: alive\nid: ${position()}\n\n` : ': alive\n\n')
    })
    return { send, ended }
  };

  [Symbol.dispose](): void {
    this.#stopping.abort()
  }

  /** A sign-out, another role or a removed account ends the stream with the next heartbeat, in every replica. */
  async #keepAlive(
    request: FastifyRequest,
    closed: AbortSignal,
    end: () => void,
    beat: () => void,
  ): Promise<void> {
    try {
      const opened = await this.#identities.of(request.headers)
      for (;;) {
        await this.#clock.sleep(HEARTBEAT_MS, closed)
        const now = await this.#identities.of(request.headers)
        if (!now || now.user.role !== opened?.user.role) return end()
        beat()
      }
    } catch {
      end()
    }
  }
}

function definedHeaders(reply: FastifyReply): Record<string, number | string | string[]> {
  const headers: Record<string, number | string | string[]> = {}
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) headers[name] = value as number | string | string[]
  }
  return headers
}
