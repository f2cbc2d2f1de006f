import * as z from 'zod'

/** Lists page by an opaque cursor. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(100),
  cursor: z.string().max(256).optional(),
})

export const NextCursor = z.string().optional()
