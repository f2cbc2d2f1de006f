import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { User } from '@althing/protocol/model/user'
import type { Clock } from '@althing/runtime/clock'
import type { Accounts } from './accounts.ts'
import type { People } from './people.ts'

const BELIEVED_MS = 5_000
const MOST_KNOWN = 10_000

/** Who makes a request, and how they proved it: a browser sends its cookie on its own, a key is sent on purpose. */
export interface Identity {
  readonly user: User
  readonly by: 'cookie' | 'key'
  /** `Set-Cookie` values that keep a session in use from ending. */
  readonly cookies: readonly string[]
}

interface Credential {
  readonly by: Identity['by']
  readonly text: string
}

interface Known {
  readonly identity: Promise<Identity | undefined>
  readonly until: number
}

/**
 * Finds out who makes a request. An answer is believed for five seconds, or until this process hears otherwise;
 * credentials themselves are never held, only their SHA-256.
 */
export class Identities {
  readonly #accounts: Accounts
  readonly #people: People
  readonly #clock: Clock
  readonly #cookieName: string
  readonly #known = new Map<string, Known>()

  private constructor(accounts: Accounts, people: People, clock: Clock, cookieName: string) {
    this.#accounts = accounts
    this.#people = people
    this.#clock = clock
    this.#cookieName = cookieName
  }

  static async open(accounts: Accounts, people: People, clock: Clock): Promise<Identities> {
    const { authCookies } = await accounts.$context
    return new Identities(accounts, people, clock, authCookies.sessionToken.name)
  }

  /** Undefined: nobody, or a credential that is not valid. */
  async of(headers: IncomingHttpHeaders): Promise<Identity | undefined> {
    const credential = this.#credentialOf(headers)
    if (!credential) return undefined
    const key = createHash('sha256').update(credential.by).update(credential.text).digest('base64')
    const known = this.#known.get(key)
    if (known && known.until > this.#clock.monotonic()) return known.identity
    const identity = this.#lookUp(credential)
    this.#remember(key, identity)
    return identity
  }

  /** The next request of the person is looked up anew. */
  async forget(user: string): Promise<void> {
    for (const [key, known] of [...this.#known]) {
      const identity = await known.identity.catch(() => undefined)
      if (identity?.user.id === user) this.#known.delete(key)
    }
  }

  #remember(key: string, identity: Promise<Identity | undefined>): void {
    this.#known.delete(key)
    this.#known.set(key, { identity, until: this.#clock.monotonic() + BELIEVED_MS })
    const drop = () => {
      if (this.#known.get(key)?.identity === identity) this.#known.delete(key)
    }
    identity.then((found) => found ?? drop(), drop)
    if (this.#known.size <= MOST_KNOWN) return
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest)
      break
    }
  }

  #credentialOf(headers: IncomingHttpHeaders): Credential | undefined {
    const key = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
    if (key) return { by: 'key', text: key }
    const prefix = `${this.#cookieName}=`
    const cookie = headers.cookie
      ?.split(';')
      .map((part) => part.trim())
      .find((part) => part.startsWith(prefix))
    return cookie ? { by: 'cookie', text: cookie } : undefined
  }

  async #lookUp(credential: Credential): Promise<Identity | undefined> {
    return credential.by === 'key' ? this.#byKey(credential.text) : this.#byCookie(credential.text)
  }

  async #byKey(key: string): Promise<Identity | undefined> {
    const { valid, key: found } = await this.#accounts.api.verifyApiKey({ body: { key } })
    const user = valid && found ? await this.#people.find(found.referenceId) : undefined
    return user && { user, by: 'key', cookies: [] }
  }

  async #byCookie(cookie: string): Promise<Identity | undefined> {
    const { headers, response } = await this.#accounts.api.getSession({
      headers: new Headers({ cookie }),
      returnHeaders: true,
    })
    const user = response ? await this.#people.find(response.user.id) : undefined
    return user && { user, by: 'cookie', cookies: headers.getSetCookie() }
  }
}
