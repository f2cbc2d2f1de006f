import * as z from 'zod'
import { Registration } from './server.ts'

/** A server that can be added with one click: its registration is ready to be sent as it is. */
export const CatalogueEntry = z
  .object({
    name: z.string(),
    friendly_name: z.string(),
    description: z.string(),
    registration: Registration,
    registered: z.boolean(),
  })
  .meta({ id: 'CatalogueEntry' })
export type CatalogueEntry = z.infer<typeof CatalogueEntry>
