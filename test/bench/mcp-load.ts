import { Pool } from 'undici'

/** A lean client of streamable HTTP: what it spends is the same for everybody who is measured. */
export class McpLoad implements AsyncDisposable {
  readonly #pool: Pool
  readonly #path: string
  readonly #headers: Record<string, string>
  #next = 1

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    const { origin, pathname } = new URL(url)
    this.#path = pathname
    this.#pool = new Pool(origin, { connections: 64, pipelining: 1 })
    this.#headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    }
  }

  async open(): Promise<void> {
    const clientInfo = { name: 'bench', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    const { headers } = await this.#post({ id: this.#next++, method: 'initialize', params })
    const session = headers['mcp-session-id']
    if (typeof session === 'string') this.#headers['mcp-session-id'] = session
    this.#headers['mcp-protocol-version'] = '2025-06-18'
    await this.#post({ method: 'notifications/initialized' })
  }

  /** Makes a request; throws unless it was answered with a result. */
  async request(method: string, params: object): Promise<number> {
    const { status, text } = await this.#post({ id: this.#next++, method, params })
    if (status !== 200 || !text.includes('"result"')) throw new Error(`HTTP ${status}: ${text.slice(0, 200)}`)
    return text.length
  }

  call(name: string, args: object): Promise<number> {
    return this.request('tools/call', { name, arguments: args })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy()
  }

  async #post(message: object) {
    const { statusCode, headers, body } = await this.#pool.request({
      path: this.#path,
      method: 'POST',
      headers: this.#headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
    return { status: statusCode, headers, text: await body.text() }
  }
}
