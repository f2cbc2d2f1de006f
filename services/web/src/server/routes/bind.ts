import type { Access, AnyRoute, Params, RouteContract } from '@althing/protocol/define'
import { AppError } from '@althing/protocol/errors'
import { Nothing } from '@althing/protocol/http/empty'
import type { Actor } from '@althing/protocol/model/actor'
import { invariant } from '@althing/runtime/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import type { AuditLog } from '../audit-log.ts'
import type { Identities, Identity } from '../auth/identities.ts'
import { mustBeTrusted } from '../auth/origin.ts'
import { invalidRequest, sendProblem } from '../problem.ts'

type Responses = Readonly<Record<number, z.ZodType | null>>
type Answer<R extends Responses> = R[keyof R] extends infer T
  ? T extends z.ZodType
    ? z.input<T>
    : undefined
  : never

/** One request as a handler sees it: checked, and on behalf of somebody unless the route is public. */
interface Call<P extends string, Q extends z.ZodType, B extends z.ZodType> {
  readonly actor: Actor
  readonly params: Params<P>
  readonly query: z.output<Q>
  readonly body: z.output<B>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** For the audit: a public request turned out to be this person's. */
  isBy(user: string): void
}

export interface BindOptions {
  /** Requests that one address may make in a minute. */
  readonly perMinute?: number
  /** Open to auditors although it changes something. */
  readonly forAuditors?: boolean
}

/** Binds the contracts of the HTTP API: every check that all routes share is made here, once. */
export class RouteBinder {
  readonly #app: FastifyInstance
  readonly #identities: Identities
  readonly #audit: AuditLog
  readonly #trusted: ReadonlySet<string>
  readonly #people = new WeakMap<FastifyRequest, Identity>()
  readonly #actors = new WeakMap<FastifyRequest, string>()
  readonly #methods = new Map<string, { readonly path: RegExp; readonly methods: Set<string> }>()

  constructor(
    app: FastifyInstance,
    identities: Identities,
    audit: AuditLog,
    trustedOrigins: ReadonlySet<string>,
  ) {
    this.#app = app
    this.#identities = identities
    this.#audit = audit
    this.#trusted = trustedOrigins
  }

  /** The handler's answer goes through the contract's schema, which takes away what it does not name. */
  bind<P extends string, Q extends z.ZodType, B extends z.ZodType, R extends Responses>(
    contract: RouteContract<P, Q, B, R>,
    handle: (call: Call<P, Q, B>) => Promise<Answer<R>>,
    options: BindOptions = {},
  ): void {
    const [status, schema] = successOf(contract)
    this.#route(contract, options, async (call) => {
      const answer = await handle(call)
      call.reply.code(status)
      return schema === null ? call.reply.send() : call.reply.send(schema.parse(answer))
    })
  }

  /** The handler answers by itself: what it sends is not read again. */
  bindRaw<P extends string, Q extends z.ZodType, B extends z.ZodType, R extends Responses>(
    contract: RouteContract<P, Q, B, R>,
    handle: (call: Call<P, Q, B>) => Promise<FastifyReply>,
    options: BindOptions = {},
  ): void {
    this.#route(contract, options, handle)
  }

  /** The methods that some route answers at a path; none: there is nothing. */
  methodsAt(path: string): string[] {
    const found = [...this.#methods.values()].filter((one) => one.path.test(path))
    return [...new Set(found.flatMap((one) => [...one.methods]))].sort()
  }

  #route<P extends string, Q extends z.ZodType, B extends z.ZodType, R extends Responses>(
    contract: RouteContract<P, Q, B, R>,
    options: BindOptions,
    handle: (call: Call<P, Q, B>) => Promise<FastifyReply>,
  ): void {
    const { method, path, access } = contract
    const changes = method !== 'GET'
    this.#remember(contract)
    this.#app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      exposeHeadRoute: false,
      ...(options.perMinute === undefined
        ? {}
        : { config: { rateLimit: { max: options.perMinute, timeWindow: '1 minute' } } }),
      onRequest: async (request, reply) => {
        const identity = await this.#identities.of(request.headers)
        if (identity) {
          this.#people.set(request, identity)
          for (const cookie of identity.cookies) reply.header('set-cookie', cookie)
        }
        mustHaveAccess(identity, access, changes && !options.forAuditors)
        if (changes && identity?.by !== 'key') {
          const { origin, host } = request.headers
          mustBeTrusted({ origin, host, byCookie: identity !== undefined, trusted: this.#trusted })
        }
        reply.header('cache-control', 'no-store')
      },
      handler: async (request, reply) => {
        const identity = this.#people.get(request)
        return handle({
          get actor() {
            invariant(identity, `${contract.name} is public`)
            return { user: identity.user.id, role: identity.user.role }
          },
          params: request.params as Params<P>,
          query: checked('query', contract.query, request.query),
          body: checked('body', contract.body, request.body),
          request,
          reply,
          isBy: (user) => void this.#actors.set(request, user),
        })
      },
      ...(changes
        ? { onResponse: async (request, reply) => this.#note(contract.name, access, request, reply) }
        : {}),
    })
  }

  #note(action: string, access: Access, request: FastifyRequest, reply: FastifyReply): void {
    const actor = this.#actors.get(request) ?? this.#people.get(request)?.user.id ?? null
    // Strangers who are turned away would fill the audit with nobody's name.
    if (actor === null && access !== 'public') return
    const { statusCode } = reply
    this.#audit.add({
      actor,
      action,
      target: Object.values(request.params as Record<string, string>).join('/'),
      outcome: statusCode < 400 ? 'ok' : statusCode === 401 || statusCode === 403 ? 'refused' : 'failed',
      address: request.ip,
    })
  }

  #remember({ method, path }: AnyRoute): void {
    const source = path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')
    const known = this.#methods.get(path) ?? { path: new RegExp(`^${source}$`), methods: new Set<string>() }
    known.methods.add(method)
    this.#methods.set(path, known)
  }
}

/** What no route answers: 405 with the methods that would do, or 404. */
export function answerNotFound(
  binder: RouteBinder,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const [path = ''] = request.url.split('?', 1)
  const methods = binder.methodsAt(path)
  if (methods.length === 0) return sendProblem(reply, new AppError('not_found', 'There is nothing here'))
  reply.header('allow', methods.join(', '))
  return sendProblem(reply, new AppError('method_not_allowed', `Use ${methods.join(' or ')}`))
}

function mustHaveAccess(identity: Identity | undefined, access: Access, changes: boolean): void {
  if (access === 'public') return
  if (!identity) throw new AppError('not_authenticated', 'Sign in, or send an API key')
  const { role } = identity.user
  if (access === 'administrator' && role !== 'admin') {
    throw new AppError('forbidden', 'Only an administrator may do this')
  }
  if (changes && role === 'auditor') throw new AppError('forbidden', 'Auditors look, and change nothing')
}

function checked<T extends z.ZodType>(where: 'query' | 'body', schema: T, value: unknown): z.output<T> {
  // A client may send `{}` where nothing is wanted.
  if ((schema as z.ZodType) === Nothing) return undefined as z.output<T>
  const parsed = schema.safeParse(value ?? {})
  if (!parsed.success) throw invalidRequest(where, parsed.error.issues)
  return parsed.data
}

function successOf(contract: AnyRoute): readonly [number, z.ZodType | null] {
  const [first] = Object.entries(contract.responses)
  invariant(first, `${contract.name} has no success`)
  return [Number(first[0]), first[1]]
}
