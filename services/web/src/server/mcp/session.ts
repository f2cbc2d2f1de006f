import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Json } from './message.ts'

/** What a client of the older era said of itself when it began. */
export interface Session {
  readonly id: string
  readonly user: string
  readonly version: string
  /** The capabilities that matter to a server: elicitation, sampling, roots. */
  readonly capabilities: Json
}

const RELEVANT = ['elicitation', 'sampling', 'roots']
const MOST_KNOWN = 10_000
const LARGEST = 4096

/**
 * Sessions of the older era. The id carries the session itself, signed: any replica can serve it, also after a
 * restart, and nothing is stored.
 */
export class Sessions {
  readonly #secret: Buffer
  readonly #known = new Map<string, Session>()
  readonly #ended = new Set<string>()

  constructor(secret: string) {
    this.#secret = createHmac('sha256', secret).update('mcp-session').digest()
  }

  begin(user: string, version: string, capabilities: Json): Session {
    const relevant = Object.fromEntries(
      Object.entries(capabilities).filter(([name]) => RELEVANT.includes(name)),
    )
    const kept = JSON.stringify(relevant).length > LARGEST / 2 ? {} : relevant
    const body = { user, version, capabilities: kept, nonce: randomBytes(12).toString('base64url') }
    const text = Buffer.from(JSON.stringify(body)).toString('base64url')
    return this.#remember({ id: `${text}.${this.#sign(text)}`, user, version, capabilities: kept })
  }

  /** Undefined: not a session of this person, or one that was ended. */
  find(id: string, user: string): Session | undefined {
    if (id.length > LARGEST || this.#ended.has(id)) return undefined
    const session = this.#known.get(id) ?? this.#read(id)
    return session?.user === user ? session : undefined
  }

  end(id: string): void {
    this.#known.delete(id)
    this.#ended.add(id)
    if (this.#ended.size > MOST_KNOWN)
      for (const oldest of this.#ended) return void this.#ended.delete(oldest)
  }

  #read(id: string): Session | undefined {
    const [text = '', signature = ''] = id.split('.')
    const wanted = Buffer.from(this.#sign(text))
    const given = Buffer.from(signature)
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
    const { user, version, capabilities } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Session
    return this.#remember({ id, user, version, capabilities })
  }

  #remember(session: Session): Session {
    this.#known.set(session.id, session)
    if (this.#known.size > MOST_KNOWN) {
      const [oldest] = this.#known.keys()
      if (oldest !== undefined) this.#known.delete(oldest)
    }
    return session
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url')
  }
}
