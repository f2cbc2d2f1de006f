import { LLMock } from '@copilotkit/aimock'

export interface ModelRequest {
  readonly messages: readonly {
    readonly role: string
    readonly content?: unknown
    readonly tool_call_id?: string
  }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

export type ModelReply =
  | { readonly content: string }
  | { readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[] }

/** A scripted model on the real OpenAI wire. It proves the loop and the wire, never the quality of an answer. */
export interface ScriptedModel extends AsyncDisposable {
  /** What the agent needs to use it. */
  readonly env: Readonly<Record<string, string>>
  /** Every request so far, in order. */
  requests(): ModelRequest[]
}

export async function openModel(script: (request: ModelRequest) => ModelReply): Promise<ScriptedModel> {
  const mock = new LLMock({ port: 0, chunkSize: 8 })
  mock.on({}, (request) => script(request as unknown as ModelRequest) as never)
  await mock.start()
  return {
    env: {
      ALTHING_MODEL_PROVIDER: 'openai-compatible',
      ALTHING_MODEL_BASE_URL: `${mock.url}/v1`,
      ALTHING_MODEL_API_KEY: 'scripted',
      ALTHING_MODEL: 'scripted',
    },
    requests: () => mock.getRequests().map((entry) => entry.body as unknown as ModelRequest),
    [Symbol.asyncDispose]: async () => {
      await mock.stop()
    },
  }
}

export function toolNames(request: ModelRequest): string[] {
  return (request.tools ?? []).map((tool) => tool.function.name)
}

/** The tool results since the last user message, oldest first, as text. */
export function resultsOfTurn(request: ModelRequest): string[] {
  const start = request.messages.findLastIndex((message) => message.role === 'user')
  return request.messages
    .slice(start + 1)
    .filter((message) => message.role === 'tool')
    .map((message) =>
      typeof message.content === 'string' ? message.content : JSON.stringify(message.content),
    )
}

export function lastUserText(request: ModelRequest): string {
  const content = request.messages.findLast((message) => message.role === 'user')?.content
  return typeof content === 'string' ? content : JSON.stringify(content)
}

export function systemText(request: ModelRequest): string {
  return request.messages
    .filter((message) => message.role === 'system')
    .map((message) =>
      typeof message.content === 'string' ? message.content : JSON.stringify(message.content),
    )
    .join('\n')
}
