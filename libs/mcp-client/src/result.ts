/** Bytes that came with a result. */
export interface Media {
  readonly kind: 'image' | 'audio' | 'file'
  readonly mimeType: string
  readonly bytes: Buffer
}

/** A tool's result, read loosely: what can be used is used, and nothing odd costs the rest. */
export interface ReadResult {
  readonly isError: boolean
  readonly kind: 'string' | 'json'
  /** Text for `string`, any JSON value for `json`. */
  readonly value: unknown
  readonly media: readonly Media[]
  readonly warnings: readonly string[]
}

export const NO_OUTPUT = 'The tool gave no output.'

interface Block {
  readonly type?: unknown
  readonly text?: unknown
  readonly data?: unknown
  readonly mimeType?: unknown
  readonly resource?: {
    readonly uri?: unknown
    readonly text?: unknown
    readonly blob?: unknown
    readonly mimeType?: unknown
  }
  readonly uri?: unknown
  readonly name?: unknown
}

/**
 * Reads the result of `tools/call`. `structuredContent` is preferred over its text mirror; an error keeps its text,
 * since the reason is there. Unknown blocks are kept as their JSON.
 */
export function readResult(raw: unknown): ReadResult {
  const result = (raw ?? {}) as {
    content?: unknown
    structuredContent?: unknown
    isError?: unknown
    toolResult?: unknown
  }
  const isError = result.isError === true
  const warnings: string[] = []
  const media: Media[] = []
  const blocks = Array.isArray(result.content) ? (result.content as (Block | null)[]) : []
  const texts = blocks.flatMap((block) => readBlock(block, media, warnings))
  const text = texts.join('\n')
  const structured = result.structuredContent
  if (structured !== undefined && structured !== null && !(isError && text !== '')) {
    return { isError, kind: 'json', value: structured, media, warnings }
  }
  if (isError && structured !== undefined && structured !== null) {
    warnings.push(`The error also carried ${JSON.stringify(structured).slice(0, 2000)}`)
  }
  if (text === '' && media.length === 0) {
    if (result.toolResult !== undefined)
      return { isError, kind: 'json', value: result.toolResult, media, warnings }
    return { isError, kind: 'string', value: NO_OUTPUT, media, warnings }
  }
  return { isError, kind: 'string', value: text, media, warnings }
}

function readBlock(block: Block | null, media: Media[], warnings: string[]): string[] {
  if (block === null || typeof block !== 'object') return [JSON.stringify(block)]
  if (block.type === 'text') return typeof block.text === 'string' ? [block.text] : []
  if (block.type === 'image' || block.type === 'audio') {
    const bytes = decodeBase64(block.data)
    if (bytes) {
      media.push({ kind: block.type, mimeType: mime(block.mimeType), bytes })
      return []
    }
    warnings.push(`An ${block.type} could not be read.`)
    return [`(unreadable ${block.type})`]
  }
  if (block.type === 'resource' && block.resource) return readResource(block.resource, media, warnings)
  if (block.type === 'resource_link' && typeof block.uri === 'string') {
    return [typeof block.name === 'string' ? `${block.name}: ${block.uri}` : block.uri]
  }
  return [JSON.stringify(block)]
}

function readResource(
  resource: NonNullable<Block['resource']>,
  media: Media[],
  warnings: string[],
): string[] {
  if (typeof resource.text === 'string') return [resource.text]
  const bytes = decodeBase64(resource.blob)
  if (bytes) {
    media.push({ kind: 'file', mimeType: mime(resource.mimeType), bytes })
    return []
  }
  warnings.push('A resource could not be read.')
  return ['(unreadable resource)']
}

function mime(type: unknown): string {
  return typeof type === 'string' && /^[\w.+-]+\/[\w.+-]+/.test(type) ? type : 'application/octet-stream'
}

/** Base64 with what servers do to it: a data URL around it, line breaks, the URL alphabet, missing padding. */
function decodeBase64(data: unknown): Buffer | undefined {
  if (typeof data !== 'string') return undefined
  const plain = data.replace(/^data:[^,]*,/, '').replaceAll(/\s/g, '')
  if (plain === '' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(plain)) return undefined
  return Buffer.from(plain, 'base64')
}
