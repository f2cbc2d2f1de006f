import { AppError } from '@althing/protocol/errors'
import type * as z from 'zod'
import { decode } from './frames.ts'

/**
 * A message's value, checked. What the other side asked wrongly is its `invalid_request`; what it answered wrongly
 * is a fault inside, whatever the caller asked.
 */
export function read<T extends z.ZodType>(
  schema: T,
  bytes: Uint8Array,
  blame: 'invalid_request' | 'internal',
): z.output<T> {
  let value: unknown
  try {
    value = decode(bytes)
  } catch (cause) {
    throw new AppError(blame, 'The message is not JSON', { cause })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') || 'message'
  throw new AppError(blame, `${where}: ${issue?.message ?? 'not valid'}`, { cause: parsed.error })
}
