import type * as z from 'zod'
import type { ErrorCode } from './errors.ts'

/** The four services. A contract names its owner and who may use it; NATS permissions derive from both. */
export const SERVICES = ['mcp-gateway', 'agent', 'tic-worker', 'web'] as const
export type ServiceName = (typeof SERVICES)[number]

type ParamNames<S extends string> = S extends `${string}{${infer P}}${infer Rest}`
  ? P | ParamNames<Rest>
  : never
/** The placeholders of a subject or path template, as an object type. */
export type Params<S extends string> = { readonly [K in ParamNames<S>]: string }
type AtArgs<S extends string> = [ParamNames<S>] extends [never] ? [] : [params: Params<S>]

const TOKEN = /^[A-Za-z0-9_-]{1,64}$/

/** A NATS subject with `{placeholders}`; ids are its last tokens. */
export interface Subject<S extends string> {
  readonly template: S
  /** The concrete subject. Throws a TypeError when a value is not a plain token, so text can never widen a subject. */
  at(...args: AtArgs<S>): string
  /** The subscription that covers every value of every placeholder. */
  readonly wildcard: string
}

export function subject<const S extends string>(template: S): Subject<S> {
  return {
    template,
    wildcard: template.replaceAll(/\{\w+\}/g, '*'),
    at: (...[params]) =>
      template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
        const value = (params as Record<string, string> | undefined)?.[name]
        if (value === undefined || !TOKEN.test(value))
          throw new TypeError(`${template}: "${name}" is not a subject token`)
        return value
      }),
  }
}

interface Described<S extends string> {
  readonly name: string
  readonly owner: ServiceName
  readonly subject: Subject<S>
  readonly doc: string
}

/** One short question, one answer. Served by a queue group, or by one instance when the subject carries an id. */
export interface RequestContract<S extends string, I extends z.ZodType, O extends z.ZodType>
  extends Described<S> {
  readonly kind: 'request'
  readonly callers: readonly ServiceName[]
  readonly input: I
  readonly output: O
  readonly errors: readonly ErrorCode[]
}

/**
 * A long question: `accepted`, heartbeats, any number of `progress`, one `final` or one error.
 * `final` crosses as bytes; `output` documents it, and only a caller that needs the value parses it.
 */
export interface StreamContract<
  S extends string,
  I extends z.ZodType,
  P extends z.ZodType,
  O extends z.ZodType,
> extends Described<S> {
  readonly kind: 'stream'
  readonly callers: readonly ServiceName[]
  readonly input: I
  readonly progress: P
  readonly output: O
  readonly errors: readonly ErrorCode[]
}

/** A JetStream stream's limits. `work`: kept until acknowledged; `window`: kept for a time and a size. */
export interface StreamLimits {
  readonly name: string
  readonly retention: 'work' | 'window'
  readonly storage: 'file' | 'memory'
  readonly maxAgeSeconds: number
  readonly maxBytes: number
  readonly maxMessagesPerSubject?: number
}

/** Something that happened. `stream` null: plain NATS, for whoever listens now; else kept by JetStream. */
export interface EventContract<S extends string, P extends z.ZodType> extends Described<S> {
  readonly kind: 'event'
  readonly consumers: readonly ServiceName[]
  readonly payload: P
  readonly stream: StreamLimits | null
}

/** An object store for what is too large for a message or must be kept as bytes. Names are ids, written once. */
export interface BucketContract {
  readonly name: string
  readonly owner: ServiceName
  /** Services besides the owner that may read objects, given their name. */
  readonly readers: readonly ServiceName[]
  readonly maxAgeSeconds: number
  readonly maxBytes: number
  readonly doc: string
}

export function defineBucket(spec: BucketContract): BucketContract {
  return spec
}

export type BusContract =
  | RequestContract<string, z.ZodType, z.ZodType>
  | StreamContract<string, z.ZodType, z.ZodType, z.ZodType>
  | EventContract<string, z.ZodType>

type Spec<C, S extends string> = Omit<C, 'kind' | 'subject'> & { readonly subject: S }

export function defineRequest<const S extends string, I extends z.ZodType, O extends z.ZodType>(
  spec: Spec<RequestContract<S, I, O>, S>,
): RequestContract<S, I, O> {
  return { ...spec, kind: 'request', subject: subject(spec.subject) }
}

export function defineStream<
  const S extends string,
  I extends z.ZodType,
  P extends z.ZodType,
  O extends z.ZodType,
>(spec: Spec<StreamContract<S, I, P, O>, S>): StreamContract<S, I, P, O> {
  return { ...spec, kind: 'stream', subject: subject(spec.subject) }
}

export function defineEvent<const S extends string, P extends z.ZodType>(
  spec: Spec<EventContract<S, P>, S>,
): EventContract<S, P> {
  return { ...spec, kind: 'event', subject: subject(spec.subject) }
}

/** Who may use a route: nobody needs to sign in, any signed-in person, or an administrator. */
export type Access = 'public' | 'user' | 'administrator'

/** One HTTP route. `path` uses `{placeholders}`; `responses` maps each success status to its body (null: none). */
export interface RouteContract<
  P extends string,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends Readonly<Record<number, z.ZodType | null>>,
> {
  readonly kind: 'route'
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: P
  readonly access: Access
  readonly query: Q
  readonly body: B
  readonly responses: R
  /** The media type of a success when it is not JSON. */
  readonly produces?: string
  readonly errors: readonly ErrorCode[]
  readonly tag: string
  readonly doc: string
}

export type AnyRoute = RouteContract<string, z.ZodType, z.ZodType, Readonly<Record<number, z.ZodType | null>>>

export function defineRoute<
  const P extends string,
  Q extends z.ZodType,
  B extends z.ZodType,
  const R extends Readonly<Record<number, z.ZodType | null>>,
>(spec: Omit<RouteContract<P, Q, B, R>, 'kind'>): RouteContract<P, Q, B, R> {
  return { ...spec, kind: 'route' }
}
