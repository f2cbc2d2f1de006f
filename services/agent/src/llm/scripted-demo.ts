import { createServer, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { type ScriptedReply, scriptedReply, type WireRequest } from './scripted-script.ts'

const WORDS_A_SECOND = 60

/** The scripted demo as a model server on loopback: the OpenAI chat completions wire, streamed. It is no AI. */
export async function startScriptedDemo(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    void (async () => {
      try {
        const body = JSON.parse(await readText(request)) as WireRequest
        await stream(response, scriptedReply(body))
      } catch {
        response
          .writeHead(400, { 'content-type': 'application/json' })
          .end('{"error":{"message":"not a chat request"}}')
      }
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the scripted demo has no address')
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function stream(response: ServerResponse, reply: ScriptedReply): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, finish: string | null = null) => {
    const chunk = {
      id: 'scripted',
      object: 'chat.completion.chunk',
      model: 'scripted-demo',
      choices: [{ index: 0, delta, finish_reason: finish }],
    }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  if (reply.kind === 'call') {
    send({
      role: 'assistant',
      tool_calls: [
        {
          index: 0,
          id: `call_${crypto.randomUUID()}`,
          type: 'function',
          function: { name: reply.name, arguments: reply.arguments },
        },
      ],
    })
    send({}, 'tool_calls')
  } else {
    for (const word of reply.text.match(/\S+\s*/g) ?? []) {
      if (response.destroyed) return
      send({ content: word })
      await new Promise((resolve) => setTimeout(resolve, 1000 / WORDS_A_SECOND))
    }
    send({}, 'stop')
  }
  response.end('data: [DONE]\n\n')
}
