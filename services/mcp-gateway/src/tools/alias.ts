import { createHash } from 'node:crypto'

const LONGEST = 64
const HASH_LENGTH = 8

/**
 * The model-facing name of a tool: `mcp__<server>__<tool>`, at most 64 characters of what model providers accept.
 * Whatever the plain form cannot tell apart (replaced characters, `__` inside a part, too long) gets a hash of both
 * names, so that it depends on nothing but them and two tools never share it.
 */
export function aliasOf(server: string, tool: string): string {
  const clean = tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  const plain = `mcp__${server}__${clean}`
  // A name that looks like a hashed one could pass for it.
  const ambiguous =
    clean !== tool || /__|^_|_$|_[0-9a-f]{8}$/.test(tool) || server.includes('__') || server.endsWith('_')
  if (!ambiguous && plain.length <= LONGEST) return plain
  const hash = createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, HASH_LENGTH)
  return `${plain.slice(0, LONGEST - HASH_LENGTH - 1)}_${hash}`
}
