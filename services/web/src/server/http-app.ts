import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { AppError } from '@althing/protocol/errors'
import type { Log } from '@althing/runtime/log'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance } from 'fastify'
import type { WebConfig } from './config.ts'
import { answerProblems, appErrorOf, sendProblem } from './problem.ts'

/** Tool names come percent-encoded in paths, and may be long. */
const LONGEST_PARAMETER = 2048

/** Something on the same port that the framework never sees. */
export interface Beside {
  owns(url: string | undefined): boolean
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** The HTTP server without its routes: what it takes, what it refuses, and what every answer carries. */
export async function openApp(config: WebConfig, log: Log, beside: Beside): Promise<FastifyInstance> {
  const app = Fastify({
    serverFactory: (handler) =>
      createServer((request, response) => {
        if (beside.owns(request.url)) void beside.handle(request, response)
        else handler(request, response)
      }),
    bodyLimit: config.ALTHING_BODY_LIMIT_BYTES,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    frameworkErrors: (error, _request, reply) => {
      void sendProblem(reply, appErrorOf(error))
    },
  })
  answerProblems(app, log)

  // Who sends too much is told so: the rest is read and thrown away, because a closed connection would lose the answer.
  app.addHook('onRequest', async (request) => {
    if (Number(request.headers['content-length'] ?? 0) <= config.ALTHING_BODY_LIMIT_BYTES) return
    request.raw.resume()
    throw new AppError('too_large', `The body may have ${config.ALTHING_BODY_LIMIT_BYTES} bytes`)
  })

  // JSON is the one content type; the built-in parser refuses member names that are harmless to us.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    try {
      done(null, JSON.parse(String(body)))
    } catch (cause) {
      done(new AppError('malformed_json', 'The body is not valid JSON', { cause }))
    }
  })

  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: config.ALTHING_PUBLIC_URL?.startsWith('https:') ?? false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
  })
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: () => new AppError('rate_limited', 'Too many tries; wait a minute'),
  })
  return app
}
