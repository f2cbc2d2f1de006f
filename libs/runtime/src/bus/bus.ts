import type {
  EventContract,
  Params,
  RequestContract,
  ServiceName,
  StreamContract,
} from '@althing/protocol/define'
import { AppError } from '@althing/protocol/errors'
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node'
import type * as z from 'zod'
import type { ServiceConfig } from '../config.ts'
import { invariant } from '../errors.ts'
import type { Log } from '../log.ts'
import { contextFrom, inSpan, SpanKind } from '../telemetry.ts'
import { address, cancelSubject, OWNER_TOKENS } from './address.ts'
import { answerRequest, answerStream, type Mouth, OpenWork, type StreamTools } from './answer.ts'
import { ask } from './ask.ts'
import { encode, toHeaders } from './frames.ts'
import { Outbox } from './outbox.ts'
import type { Outsized } from './outsized.ts'
import { read } from './read.ts'
import { Replies } from './replies.ts'
import { type Served, subscribe } from './served.ts'
import { watchStatus } from './status.ts'

type At<S extends string> = Params<S>

const REQUEST_TIMEOUT_MS = 10_000
const STORE_TIMEOUT_MS = 5_000
/** So many heartbeats that did not come mean that an owner is gone. */
const MISSED_HEARTBEATS = 3

export interface CallOptions<S extends string = string> {
  readonly at?: At<S>
  /** Milliseconds to wait for the answer of a request. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface StreamOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (bytes: Uint8Array) => void
}

/** The typed bus of one service: everything it says or hears goes through a contract. */
export class Bus implements AsyncDisposable {
  readonly service: ServiceName
  /** This process, as a subject token. */
  readonly instance: string
  readonly nats: NatsConnection
  readonly #log: Log
  readonly #heartbeatMs: number
  readonly #replies: Replies
  #mouth: Mouth
  readonly #open = new OpenWork()
  #hearsCancel = false

  private constructor(
    service: ServiceName,
    instance: string,
    nats: NatsConnection,
    log: Log,
    heartbeatMs: number,
  ) {
    this.service = service
    this.instance = instance
    this.nats = nats
    this.#log = log
    this.#heartbeatMs = heartbeatMs
    this.#mouth = { nats, outbox: new Outbox(nats), outsized: undefined }
    this.#replies = new Replies(nats, `_INBOX_${service}.${instance}`)
  }

  static async open(service: ServiceName, instance: string, config: ServiceConfig, log: Log): Promise<Bus> {
    const nats = await connect({
      servers: config.NATS_URL,
      user: config.NATS_USER,
      pass: config.NATS_PASSWORD.reveal(),
      name: `${service}.${instance}`,
      inboxPrefix: `_INBOX_${service}`,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      waitOnFirstConnect: true,
      ignoreClusterUpdates: true,
    })
    const bus = new Bus(service, instance, nats, log, config.BUS_HEARTBEAT_MS)
    watchStatus(nats, log)
    return bus
  }

  /** Serves a request with the other replicas; with `at`, this instance alone serves that address. */
  serve<S extends string, I extends z.ZodType, O extends z.ZodType>(
    contract: RequestContract<S, I, O>,
    handler: (input: z.output<I>) => Promise<z.input<O>>,
    at?: At<S>,
  ): Served {
    this.#mustOwn(contract.owner, contract.name)
    const subject = at === undefined ? contract.subject.wildcard : address(contract.subject, at)
    return this.#subscribe(subject, at === undefined ? this.service : undefined, (message) =>
      this.#traced(contract.name, message, () =>
        answerRequest(this.#mouth, this.#log, message, async () =>
          handler(read(contract.input, message.data, 'invalid_request')),
        ),
      ),
    )
  }

  /**
   * Serves a stream. With `at` only this instance serves that address: ownership is this subscription.
   * The handler gives the bytes of its answer, so that a result can pass through unread.
   */
  serveStream<S extends string, I extends z.ZodType, P extends z.ZodType, O extends z.ZodType>(
    contract: StreamContract<S, I, P, O>,
    at: At<S> | null,
    handler: (input: z.output<I>, tools: StreamTools) => Promise<Uint8Array>,
  ): Served {
    this.#mustOwn(contract.owner, contract.name)
    this.#serveCancel()
    const [subject, queue] =
      at === null ? [contract.subject.wildcard, this.service] : [address(contract.subject, at), undefined]
    const tools = {
      mouth: this.#mouth,
      log: this.#log,
      instance: this.instance,
      heartbeatMs: this.#heartbeatMs,
      open: this.#open,
    }
    return this.#subscribe(subject, queue, (message) =>
      this.#traced(contract.name, message, () =>
        answerStream(tools, message, async (stream) =>
          handler(read(contract.input, message.data, 'invalid_request'), stream),
        ),
      ),
    )
  }

  /** Asks and waits for the answer. Rejects with the AppError of the other side, or `unavailable`, `timeout`. */
  async call<S extends string, I extends z.ZodType, O extends z.ZodType>(
    contract: RequestContract<S, I, O>,
    input: z.input<I>,
    { timeoutMs = REQUEST_TIMEOUT_MS, signal, at }: CallOptions<S> = {},
  ): Promise<z.output<O>> {
    const bytes = await ask(this.nats, this.#mouth, this.#replies, {
      subject: at === undefined ? contract.subject.template : address(contract.subject, at),
      body: encode(input),
      silenceMs: timeoutMs,
      silence: 'timeout',
      signal,
      onProgress: undefined,
      cancelSubject: undefined,
    })
    return read(contract.output, bytes, 'internal')
  }

  /**
   * Starts long work and resolves with the bytes of its final answer, unread. Aborting the signal cancels the
   * work at its owner; an owner that dies is noticed by its missing heartbeats (`owner_lost`).
   */
  stream<S extends string, I extends z.ZodType, P extends z.ZodType, O extends z.ZodType>(
    contract: StreamContract<S, I, P, O>,
    at: At<S>,
    input: z.input<I>,
    { signal, onProgress }: StreamOptions = {},
  ): Promise<Uint8Array> {
    const owner = contract.subject.template.split('.', 1)[0]
    return ask(this.nats, this.#mouth, this.#replies, {
      subject: address(contract.subject, at),
      body: encode(input),
      silenceMs: this.#heartbeatMs * MISSED_HEARTBEATS,
      silence: 'owner_lost',
      signal,
      onProgress,
      cancelSubject: (instance) => cancelSubject(owner, instance),
    })
  }

  /** Tells whoever listens; not acknowledged. A JetStream stream on the subject keeps it as well. */
  publish<S extends string, P extends z.ZodType>(
    contract: EventContract<S, P>,
    at: At<S>,
    payload: z.input<P>,
  ): void {
    this.#mustOwn(contract.owner, contract.name)
    this.#mouth.outbox.publish(address(contract.subject, at), encode(payload))
  }

  /**
   * Stores an event in its stream and resolves once that is acknowledged. The same `id` stored again within the
   * stream's window is kept once. Rejects with `unavailable`; then nobody knows, and the caller sends it again.
   */
  async store<S extends string, P extends z.ZodType>(
    contract: EventContract<S, P>,
    at: At<S>,
    payload: z.input<P>,
    id: string,
  ): Promise<void> {
    this.#mustOwn(contract.owner, contract.name)
    invariant(contract.stream !== null, `${contract.name} has no stream`)
    const subject = address(contract.subject, at)
    const ack = await new Promise<Msg>((resolve, reject) => {
      const late = setTimeout(() => {
        this.#replies.release(reply)
        reject(new AppError('unavailable', `no acknowledgement for ${subject}`))
      }, STORE_TIMEOUT_MS)
      const reply = this.#replies.expect((message) => {
        clearTimeout(late)
        this.#replies.release(reply)
        resolve(message)
      })
      this.nats.publish(subject, encode(payload), { reply, headers: toHeaders({ 'Nats-Msg-Id': id }) })
    })
    const body =
      ack.data.length === 0 ? {} : (ack.json() as { seq?: number; error?: { description?: string } })
    if (body.seq === undefined) {
      throw new AppError(
        'unavailable',
        `${contract.stream.name} did not keep ${subject}: ${body.error?.description ?? 'no stream'}`,
      )
    }
  }

  /** Hears an event as it is published. For what JetStream keeps, see `consume`. */
  listen<S extends string, P extends z.ZodType>(
    contract: EventContract<S, P>,
    at: At<S> | null,
    handler: (payload: z.output<P>) => void | Promise<void>,
  ): Served {
    const subject = at === null ? contract.subject.wildcard : address(contract.subject, at)
    return this.#subscribe(subject, undefined, async (message) => {
      try {
        await handler(read(contract.payload, message.data, 'invalid_request'))
      } catch (error) {
        this.#log.error({ err: error, subject: message.subject }, 'a listener failed')
      }
    })
  }

  /** Answers larger than a message may be go by this store from now on; whoever is asked for them needs it too. */
  passOutsizedBy(outsized: Outsized): void {
    this.#mouth = { ...this.#mouth, outsized }
  }

  /** Rejects when the server does not answer. */
  async check(): Promise<void> {
    if (this.nats.isClosed()) throw new Error('closed')
    this.#mouth.outbox.flush()
    await this.nats.flush()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Not `unavailable`: that promises that nothing was delivered, and this was.
    this.#open.cancelAll(new AppError('owner_lost', 'The instance that worked on this is stopping'))
    this.#replies.close()
    this.#mouth.outbox.flush()
    if (!this.nats.isClosed()) await this.nats.drain()
  }

  #mustOwn(owner: ServiceName, name: string): void {
    invariant(owner === this.service, `${this.service} does not own ${name}`)
  }

  #subscribe(subject: string, queue: string | undefined, handle: (message: Msg) => Promise<void>): Served {
    return subscribe(this.nats, this.#log, { subject, queue }, handle)
  }

  async #traced(name: string, message: Msg, work: () => Promise<void>): Promise<void> {
    const traceparent = message.headers?.get('traceparent')
    if (!traceparent) return work()
    return inSpan(name, SpanKind.CONSUMER, contextFrom(traceparent), work)
  }

  /** Only a service with streams of its own may hear cancels, and has something to cancel. */
  #serveCancel(): void {
    if (this.#hearsCancel) return
    this.#hearsCancel = true
    const owner = OWNER_TOKENS[this.service]
    this.nats.subscribe(cancelSubject(owner, this.instance), {
      callback: (error, message) => {
        if (!error) this.#open.cancel(message.string())
      },
    })
  }
}
