import type { Briefing } from '@althing/protocol/model/briefing'
import type { Event } from '@althing/protocol/model/event'
import type { Inbox } from '@althing/protocol/model/inbox'
import type { Problem } from '@althing/protocol/model/problem'
import type { Server, ServerWithTools } from '@althing/protocol/model/server'
import type { Session } from '@althing/protocol/model/session'
import type { CallResult } from '@althing/protocol/model/tool'
import { until } from './until.ts'

export interface Answer<T> {
  readonly status: number
  readonly type: string
  readonly body: T
}

/** Somebody who uses the HTTP API with a session cookie or an API key, as any client does. */
export class Person {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.url = url
    this.headers = headers
  }

  static anonymous(url: string): Person {
    return new Person(url, {})
  }

  /** Creates the first administrator and signs in. */
  static async first(url: string): Promise<Person> {
    const account = { email: 'ada@example.test', name: 'Ada', password: 'correct horse battery' }
    const nobody = Person.anonymous(url)
    const made = await nobody.send('POST', '/api/setup', account)
    if (made.status !== 201) throw new Error(`set-up answered ${made.status}: ${JSON.stringify(made.body)}`)
    return Person.signIn(url, account.email, account.password)
  }

  static async signIn(url: string, email: string, password: string): Promise<Person> {
    const response = await fetch(`${url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email, password }),
    })
    if (!response.ok) throw new Error(`sign-in answered ${response.status}: ${await response.text()}`)
    await response.arrayBuffer()
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ')
    return new Person(url, { cookie, origin: url })
  }

  /** The same person, with an API key in place of the cookie. */
  async withKey(name: string): Promise<Person> {
    const { body } = await this.send<{ key: string }>('POST', '/api/api-keys', { name })
    return new Person(this.url, { authorization: `Bearer ${body.key}` })
  }

  async colleague(email: string, role: 'admin' | 'member' | 'auditor'): Promise<Person> {
    const password = 'another horse battery'
    const made = await this.send('POST', '/api/users', {
      email,
      name: email.split('@', 1)[0],
      role,
      password,
    })
    if (made.status !== 201) throw new Error(`account answered ${made.status}: ${JSON.stringify(made.body)}`)
    return Person.signIn(this.url, email, password)
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.url + path, {
      ...init,
      headers: { ...this.headers, ...(init.headers as Record<string, string>) },
    })
  }

  /** `body` is sent as JSON; a string is sent as it is, to try what is not JSON. */
  async send<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<Answer<T>> {
    const response = await this.fetch(path, {
      method,
      ...(body === undefined
        ? {}
        : {
            headers: { 'content-type': 'application/json' },
            body: typeof body === 'string' ? body : JSON.stringify(body),
          }),
      ...(signal ? { signal } : {}),
    })
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    return { status: response.status, type, body: (type.includes('json') ? JSON.parse(text) : text) as T }
  }

  problem(method: string, path: string, body?: unknown): Promise<Answer<Problem>> {
    return this.send<Problem>(method, path, body)
  }

  register(registration: Readonly<Record<string, unknown>>): Promise<Answer<ServerWithTools>> {
    return this.send<ServerWithTools>('POST', '/api/servers', registration)
  }

  async server(name: string): Promise<Server> {
    return (await this.send<Server>('GET', `/api/servers/${name}`)).body
  }

  call(
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>> = {},
  ): Promise<Answer<CallResult>> {
    return this.send<CallResult>('POST', `/api/servers/${server}/tools/${tool}/call`, { arguments: args })
  }

  /** Lets every call of tools with these names run without asking. */
  async allow(pattern: string): Promise<void> {
    const made = await this.send('POST', '/api/approval-rules', { pattern, action: 'allow' })
    if (made.status !== 201) throw new Error(`rule answered ${made.status}: ${JSON.stringify(made.body)}`)
  }

  async openChat(): Promise<string> {
    return (await this.send<{ id: string }>('POST', '/api/sessions', { agent: 'main' })).body.id
  }

  async chat(id: string): Promise<Session> {
    return (await this.send<Session>('GET', `/api/sessions/${id}`)).body
  }

  /** Sends a message and waits until the chat is idle again. */
  async say(id: string, content: string): Promise<Session> {
    const sent = await this.send('POST', `/api/sessions/${id}/messages`, { content })
    if (sent.status !== 202) throw new Error(`message answered ${sent.status}: ${JSON.stringify(sent.body)}`)
    return until('the chat is idle', async () => {
      const session = await this.chat(id)
      return session.state === 'idle' && session.messages.at(-1)?.role === 'assistant' ? session : undefined
    })
  }

  async inbox(): Promise<Inbox> {
    return (await this.send<Inbox>('GET', '/api/inbox')).body
  }

  async events(): Promise<Event[]> {
    return (await this.send<{ events: Event[] }>('GET', '/api/events?limit=500')).body.events
  }

  async briefings(): Promise<Briefing[]> {
    return (await this.send<{ briefings: Briefing[] }>('GET', '/api/briefings?limit=500')).body.briefings
  }
}
