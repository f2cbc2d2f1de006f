import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerNotFound, type RouteBinder } from './bind.ts'

const NOT_BUILT = 'The web page is not built: run "npm run build" in services/web, or set ALTHING_UI_DIR.\n'

/** The web page, and the answer to whatever no route knows. */
export async function serveUi(app: FastifyInstance, routes: RouteBinder, folder: string): Promise<void> {
  const built = existsSync(join(folder, 'index.html'))
  if (built) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const hashed = path.startsWith(join(folder, 'assets') + sep)
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
    app.get('/', (_request, reply) => reply.sendFile('index.html'))
  }
  app.setNotFoundHandler((request, reply) => {
    if (!wantsPage(request)) return answerNotFound(routes, request, reply)
    return built ? reply.sendFile('index.html') : plain(reply)
  })
}

/** Every address outside the API is a place in the page. */
function wantsPage(request: FastifyRequest): boolean {
  const reads = request.method === 'GET' || request.method === 'HEAD'
  return (
    reads && !/^\/api(?:[/?]|$)/.test(request.url) && (request.headers.accept ?? '').includes('text/html')
  )
}

function plain(reply: FastifyReply): FastifyReply {
  return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
}
