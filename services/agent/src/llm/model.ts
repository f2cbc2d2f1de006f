import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { AppError } from '@althing/protocol/errors'
import type { Clock } from '@althing/runtime/clock'
import { jsonSchema, type LanguageModel, type ModelMessage, streamText, tool } from 'ai'

/** Where a model is. */
export interface ModelEndpoint {
  readonly provider: 'openai-compatible' | 'openai' | 'anthropic' | 'google'
  readonly baseUrl?: string
  readonly apiKey: string
  readonly model: string
}

export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly schema: Record<string, unknown>
}

export interface ModelCall {
  readonly id: string
  readonly name: string
  readonly arguments: Record<string, unknown>
  /** What is wrong with the arguments that the model wrote. */
  readonly fault?: string
}

export interface RoundRequest {
  readonly endpoint: ModelEndpoint
  readonly system: string
  readonly messages: ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly onText: (text: string) => void
}

export interface RoundAnswer {
  readonly calls: readonly ModelCall[]
  readonly inputTokens: number
  readonly outputTokens: number
}

const TRIES = 3
const FIRST_RETRY_MS = 500

/**
 * One request to a model: text as it comes, then the calls it wants. Rejects with `model_error`; a failure that may
 * pass (429, 5xx, a broken line) is tried again, but never after the first text was given.
 */
export async function runRound(request: RoundRequest): Promise<RoundAnswer> {
  for (let attempt = 1; ; attempt++) {
    let spoke = false
    try {
      return await once({
        ...request,
        onText: (text) => {
          spoke = true
          request.onText(text)
        },
      })
    } catch (cause) {
      request.signal.throwIfAborted()
      if (attempt >= TRIES || spoke || !mayPass(cause)) throw modelError(cause)
      await request.clock.sleep(FIRST_RETRY_MS * 2 ** (attempt - 1), request.signal)
    }
  }
}

async function once({
  endpoint,
  system,
  messages,
  tools,
  signal,
  onText,
}: RoundRequest): Promise<RoundAnswer> {
  const failed: { error?: unknown } = {}
  const result = streamText({
    model: languageModel(endpoint),
    system,
    messages,
    tools: Object.fromEntries(
      tools.map(({ name, description, schema }) => [
        name,
        tool({ description, inputSchema: jsonSchema(schema) }),
      ]),
    ),
    abortSignal: signal,
    maxRetries: 0,
    onError: ({ error }) => {
      failed.error = error
    },
  })
  const calls: ModelCall[] = []
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') onText(part.text)
    else if (part.type === 'tool-call') calls.push(readCall(part))
    else if (part.type === 'error') throw part.error
  }
  signal.throwIfAborted()
  if (failed.error !== undefined && calls.length === 0) throw failed.error
  const usage = await result.usage
  return { calls: unique(calls), inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 }
}

interface CallPart {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
  readonly error?: unknown
}

function readCall({ toolCallId, toolName, input }: CallPart): ModelCall {
  const call = { id: toolCallId, name: toolName }
  if (typeof input === 'string') {
    // Malformed arguments come as the text that the model wrote.
    if (input.trim() === '') return { ...call, arguments: {} }
    try {
      return readCall({ toolCallId, toolName, input: JSON.parse(input) ?? null })
    } catch (error) {
      return {
        ...call,
        arguments: {},
        fault: `The arguments are not JSON (${(error as Error).message}): ${input.slice(0, 200)}`,
      }
    }
  }
  if (input === undefined) return { ...call, arguments: {} }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return {
      ...call,
      arguments: {},
      fault: `The arguments must be a JSON object, not ${JSON.stringify(input).slice(0, 200)}`,
    }
  }
  return { ...call, arguments: input as Record<string, unknown> }
}

/** Some models give two calls of a round the same id; their results could not be told apart. */
function unique(calls: readonly ModelCall[]): ModelCall[] {
  const seen = new Set<string>()
  return calls.map((call, index) => {
    const id = call.id === '' || seen.has(call.id) ? `${call.id || 'call'}-${index}` : call.id
    seen.add(id)
    return { ...call, id }
  })
}

function languageModel({ provider, baseUrl, apiKey, model }: ModelEndpoint): LanguageModel {
  const base = baseUrl === undefined ? {} : { baseURL: baseUrl }
  if (provider === 'openai') return createOpenAI({ apiKey, ...base })(model)
  if (provider === 'anthropic') return createAnthropic({ apiKey, ...base })(model)
  if (provider === 'google') return createGoogleGenerativeAI({ apiKey, ...base })(model)
  return createOpenAICompatible({ name: 'configured', apiKey, baseURL: baseUrl ?? '', includeUsage: true })(
    model,
  )
}

interface HttpFault {
  readonly statusCode?: number
  readonly isRetryable?: boolean
  readonly message?: string
}

function mayPass(cause: unknown): boolean {
  const { statusCode, isRetryable } = (cause ?? {}) as HttpFault
  if (statusCode !== undefined) return statusCode === 429 || statusCode >= 500
  return isRetryable ?? true
}

function modelError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const { statusCode, message = 'no answer' } = (cause ?? {}) as HttpFault
  const status = statusCode === undefined ? '' : ` (HTTP ${statusCode})`
  return new AppError('model_error', `The model did not answer${status}: ${message.slice(0, 300)}`, { cause })
}
