import { agentLive } from '@althing/protocol/bus/agent'
import { EVERYBODY, LIVE_STREAM } from '@althing/protocol/bus/live-stream'
import { LiveEvent } from '@althing/protocol/model/live'
import type { Bus } from '@althing/runtime/bus/bus'
import { decode } from '@althing/runtime/bus/frames'
import type { Clock } from '@althing/runtime/clock'
import type { Log } from '@althing/runtime/log'
import {
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import { Backlog, type LivePosition } from './backlog.ts'

const PAUSE_MS = 250
const MOST_AHEAD = 1000
const RESYNC = 'event: resync\ndata: {}\n\n'

/** The subject's last token is the person. */
const USER_TOKEN = agentLive.subject.template.split('.').length - 1

interface Follower {
  /** Sequences up to this one are behind it. */
  after: number
  readonly send: (text: string) => void
}

/** The live events of everybody, read once for the whole process and handed to those they concern. */
export class LiveFeed implements AsyncDisposable {
  readonly #bus: Bus
  readonly #log: Log
  readonly #clock: Clock
  readonly #backlog = new Backlog({
    maxAgeMs: LIVE_STREAM.maxAgeSeconds * 1000,
    maxSize: LIVE_STREAM.maxBytes,
  })
  readonly #followers = new Map<string, Set<Follower>>()
  readonly #stopping = new AbortController()
  readonly #start = Promise.withResolvers<void>()
  readonly #running: Promise<unknown>
  #messages: ConsumerMessages | undefined
  /** The newest sequence the stream is known to have, read or not. */
  #newest = 0

  constructor(bus: Bus, log: Log, clock: Clock) {
    this.#bus = bus
    this.#log = log
    this.#clock = clock
    this.#running = Promise.all([this.#read(), this.#watch()])
  }

  /** Resolves once the stream was seen: before that no position can be judged. */
  get started(): Promise<void> {
    return this.#start.promise
  }

  get position(): string {
    return writePosition({ epoch: this.#backlog.epoch, seq: Math.max(this.#backlog.head, this.#newest) })
  }

  /** Rejects while the stream is not being read. */
  async check(): Promise<void> {
    if (!this.#messages) throw new Error('the live stream is not being read')
  }

  /**
   * Sends what the person missed since a position, then what happens, until disposed. No position: from now on.
   * `null`: a position nobody can read.
   */
  follow(user: string, from: LivePosition | null | undefined, send: (text: string) => void): Disposable {
    const missed = from ? this.#backlog.since(from, [user, EVERYBODY]) : undefined
    const follower: Follower = {
      after: from && missed ? from.seq : Math.max(this.#backlog.head, this.#newest),
      send,
    }
    if (from !== undefined && missed === undefined) send(`id: ${this.position}\n${RESYNC}`)
    else if (from === undefined) send(`id: ${this.position}\n\n`)
    for (const entry of missed ?? []) send(entry.text)
    const set = this.#followers.get(user) ?? new Set()
    this.#followers.set(user, set.add(follower))
    return {
      [Symbol.dispose]: () => {
        set.delete(follower)
        if (set.size === 0) this.#followers.delete(user)
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    this.#messages?.stop()
    await this.#running
  }

  async #read(): Promise<void> {
    let told = false
    while (!this.#stopping.signal.aborted) {
      try {
        const messages = await this.#open()
        this.#messages = messages
        told = false
        for await (const message of messages) this.#take(message)
      } catch (error) {
        if (!told) this.#log.warn({ err: error }, 'the live stream is not there; trying again')
        told = true
      } finally {
        this.#messages = undefined
      }
      await this.#clock.sleep(PAUSE_MS, this.#stopping.signal).catch(() => {})
    }
  }

  async #open(): Promise<ConsumerMessages> {
    const manager = await jetstreamManager(this.#bus.nats, { checkAPI: false })
    const { created, state } = await manager.streams.info(LIVE_STREAM.name)
    const epoch = Date.parse(created).toString(36)
    if (epoch !== this.#backlog.epoch || state.last_seq < this.#backlog.head) {
      const again = this.#backlog.epoch !== ''
      this.#backlog.reset(epoch, Math.max(0, state.first_seq - 1))
      this.#newest = state.last_seq
      if (again) this.#resyncAll()
    }
    this.#start.resolve()
    const consumer = await jetstream(this.#bus.nats).consumers.get(LIVE_STREAM.name, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: this.#backlog.head + 1,
    })
    return consumer.consume({ max_messages: MOST_AHEAD, abort_on_missing_resource: true })
  }

  /** A server that comes back may have lost the stream: look again instead of waiting for what it will not send. */
  async #watch(): Promise<void> {
    const statuses = this.#bus.nats.status()
    const stopped = new Promise<undefined>((resolve) => {
      this.#stopping.signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    const iterator = statuses[Symbol.asyncIterator]()
    for (;;) {
      const next = await Promise.race([iterator.next(), stopped])
      if (!next || next.done) return
      if (next.value.type === 'reconnect') this.#messages?.stop()
    }
  }

  #take(message: JsMsg): void {
    const { seq } = message
    const user = message.subject.split('.')[USER_TOKEN] ?? ''
    const text = textOf(message, this.#backlog.epoch)
    if (text === undefined) this.#log.warn({ seq, subject: message.subject }, 'a live event is not valid')
    const added = this.#backlog.add({ seq, user, at: this.#clock.now(), text: text ?? '' })
    if (added === 'again') return
    if (added === 'gap') {
      this.#newest = Math.max(this.#newest, seq - 1)
      this.#resyncAll()
    }
    if (text === undefined) return
    const sets = user === EVERYBODY ? [...this.#followers.values()] : [this.#followers.get(user) ?? []]
    for (const set of sets) {
      for (const follower of set) if (follower.after < seq) follower.send(text)
    }
  }

  #resyncAll(): void {
    const after = Math.max(this.#backlog.head, this.#newest)
    for (const set of this.#followers.values()) {
      for (const follower of set) {
        follower.after = after
        follower.send(`id: ${this.position}\n${RESYNC}`)
      }
    }
  }
}

/** `<epoch>-<sequence>`, the id of an event as a client sees it. */
function writePosition({ epoch, seq }: LivePosition): string {
  return `${epoch}-${seq}`
}

/** Null: not a position. */
export function readPosition(text: string): LivePosition | null {
  const [, epoch, seq] = /^([a-z0-9]{1,16})-(\d{1,15})$/.exec(text) ?? []
  return epoch === undefined ? null : { epoch, seq: Number(seq) }
}

function textOf(message: JsMsg, epoch: string): string | undefined {
  try {
    const { type, data } = LiveEvent.parse(decode(message.data))
    return `id: ${writePosition({ epoch, seq: message.seq })}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
  } catch {
    return undefined
  }
}
