import * as z from 'zod'

/** Ids are UUIDs (version 7 where we make them) and therefore valid subject tokens. */
export const Id = z.uuid().meta({ id: 'Id' })
/** Ids of people come from the accounts library: plain tokens. */
export const UserId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/)
  .meta({ id: 'UserId' })
export type UserId = z.infer<typeof UserId>

export const Timestamp = z.iso.datetime().meta({ id: 'Timestamp' })
