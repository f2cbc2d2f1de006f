import { AppError } from '@althing/protocol/errors'
import type { ToolCallRow } from '../db/tables.ts'
import { resultText } from '../turn/conversation.ts'
import type { BuiltIn } from './built-in.ts'

const LONGEST_READ = 20_000
const MOST_HITS = 20
/** Characters shown around a hit. */
const AROUND = 200

type Stored = Pick<ToolCallRow, 'status' | 'result' | 'result_type'>

/** Reads on in a result that was too long to be given whole: by place, or by a word in it. */
export function readResult(find: (call: string) => Promise<Stored | undefined>): BuiltIn {
  return {
    name: 'read_result',
    description:
      'Reads a long result of an earlier call in parts. Give the call as its shortened result names it, and an offset, or a text to search for.',
    schema: {
      type: 'object',
      properties: {
        call: { type: 'string' },
        offset: { type: 'integer', minimum: 0 },
        limit: { type: 'integer', minimum: 1, maximum: LONGEST_READ },
        search: { type: 'string', minLength: 1 },
      },
      required: ['call'],
      additionalProperties: false,
    },
    async run({ call, offset = 0, limit = LONGEST_READ, search }) {
      const stored = await find(String(call))
      if (stored === undefined) throw new AppError('not_found', `There is no call "${call}" in this chat.`)
      const text = resultText(stored)
      if (typeof search === 'string') return hitsOf(text, search)
      const from = Number(offset)
      const part = text.slice(from, from + Math.min(Number(limit), LONGEST_READ)).toWellFormed()
      const next = from + part.length
      return { text: part, characters: text.length, ...(next < text.length ? { next_offset: next } : {}) }
    },
  }
}

function hitsOf(text: string, search: string) {
  const lower = text.toLowerCase()
  const wanted = search.toLowerCase()
  const hits: { offset: number; text: string }[] = []
  let found = 0
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length)) {
    if (++found > MOST_HITS) continue
    const around = text.slice(Math.max(0, at - AROUND), at + wanted.length + AROUND)
    hits.push({ offset: at, text: around.toWellFormed() })
  }
  return { hits, found, characters: text.length }
}
