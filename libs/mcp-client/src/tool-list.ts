import type { ToolProblem } from '@althing/protocol/model/tool'
import * as z from 'zod'

/** A tool as the server defines it. Members that are not named here pass through. */
const RawTool = z.looseObject({
  name: z.string().min(1).max(256),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
})
export type RawTool = z.infer<typeof RawTool>

export interface ToolListing {
  readonly tools: readonly RawTool[]
  /** Tools that cannot be offered, and why. */
  readonly problems: readonly ToolProblem[]
  /** Why the list may not be whole, when it was cut. */
  readonly truncated: string | undefined
}

const MOST_PAGES = 50

export type ListPage = (cursor: string | undefined) => Promise<unknown>

/**
 * Walks the pages of `tools/list`. Each tool is read on its own, so that a bad one never costs the list; a cursor
 * that repeats or never ends stops the walk.
 */
export async function walkTools(page: ListPage): Promise<ToolListing> {
  const tools = new Map<string, RawTool>()
  const problems: ToolProblem[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const result = (await page(cursor)) as { tools?: unknown; nextCursor?: unknown } | undefined
    for (const raw of Array.isArray(result?.tools) ? result.tools : []) {
      const read = readTool(raw)
      if ('problem' in read) problems.push(read.problem)
      else if (!tools.has(read.tool.name)) tools.set(read.tool.name, read.tool)
    }
    const next = result?.nextCursor
    if (typeof next !== 'string') return { tools: [...tools.values()], problems, truncated: undefined }
    if (seen.has(next))
      return cut(tools, problems, `the server repeated the cursor ${JSON.stringify(next.slice(0, 80))}`)
    seen.add(next)
    cursor = next
  }
  return cut(tools, problems, `only the first ${MOST_PAGES} pages were read`)
}

function cut(tools: Map<string, RawTool>, problems: ToolProblem[], truncated: string): ToolListing {
  return { tools: [...tools.values()], problems, truncated }
}

function readTool(raw: unknown): { tool: RawTool } | { problem: ToolProblem } {
  const parsed = RawTool.safeParse(raw)
  if (parsed.success) return { tool: parsed.data }
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
