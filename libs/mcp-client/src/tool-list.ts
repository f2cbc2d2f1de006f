import type { ToolProblem } from '@althing/protocol/model/tool'
import * as z from 'zod'
import { headerFault } from './param-headers.ts'

/** A tool as the server defines it. Members that are not named here pass through. */
const RawTool = z.looseObject({
  name: z.string().min(1).max(256),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
  execution: z.looseObject({ taskSupport: z.string().optional() }).optional(),
})
export type RawTool = z.infer<typeof RawTool>

export interface ToolListing {
  readonly tools: readonly RawTool[]
  /** Tools that cannot be offered, and why. */
  readonly problems: readonly ToolProblem[]
  /** Why the list may not be whole, when it was cut. */
  readonly truncated: string | undefined
  /** Milliseconds for which the server lets the list be kept. */
  readonly ttlMs: number | undefined
}

const MOST_PAGES = 50

export type ListPage = (cursor: string | undefined) => Promise<unknown>

/**
 * Walks the pages of `tools/list`. Each tool is read on its own, so that a bad one never costs the list; a cursor
 * that repeats or never ends stops the walk. Over HTTP the 2026-07-28 era refuses tools whose header declarations are
 * not valid: `checkHeaders`.
 */
export async function walkTools(page: ListPage, checkHeaders = false): Promise<ToolListing> {
  const tools = new Map<string, RawTool>()
  const problems: ToolProblem[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  let ttlMs: number | undefined
  const done = (truncated?: string): ToolListing => ({
    tools: [...tools.values()],
    problems,
    truncated,
    ttlMs,
  })
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const result = (await page(cursor)) as
      | { tools?: unknown; nextCursor?: unknown; ttlMs?: unknown }
      | undefined
    if (typeof result?.ttlMs === 'number') ttlMs = result.ttlMs
    for (const raw of Array.isArray(result?.tools) ? result.tools : []) {
      const read = readTool(raw, checkHeaders)
      if ('problem' in read) problems.push(read.problem)
      else if (!tools.has(read.tool.name)) tools.set(read.tool.name, read.tool)
    }
    const next = result?.nextCursor
    if (typeof next !== 'string') return done()
    if (seen.has(next)) return done(`the server repeated the cursor ${JSON.stringify(next.slice(0, 80))}`)
    seen.add(next)
    cursor = next
  }
  return done(`only the first ${MOST_PAGES} pages were read`)
}

function readTool(raw: unknown, checkHeaders: boolean): { tool: RawTool } | { problem: ToolProblem } {
  const parsed = RawTool.safeParse(raw)
  if (parsed.success) {
    const detail = checkHeaders ? headerFault(parsed.data.inputSchema) : undefined
    if (detail === undefined) return { tool: parsed.data }
    return { problem: { tool: parsed.data.name, code: 'protocol_error', detail } }
  }
  const name = (raw as { name?: unknown } | null)?.name
  const [issue] = parsed.error.issues
  return {
    problem: {
      tool: typeof name === 'string' ? name.slice(0, 256) : '(without a name)',
      code: 'protocol_error',
      detail: `${issue?.path.join('.') || 'definition'}: ${issue?.message ?? 'not valid'}`,
    },
  }
}
