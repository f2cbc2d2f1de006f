import * as z from 'zod'

/** Any JSON value, passed through unread. */
export const JsonValue = z
  .unknown()
  .meta({ id: 'JsonValue', description: 'Any JSON value, passed through unread.' })
/** A JSON object, its members unread. */
export const JsonObject = z.record(z.string(), z.unknown()).meta({ id: 'JsonObject' })
export type JsonObject = z.infer<typeof JsonObject>
