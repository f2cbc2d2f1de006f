import * as z from 'zod'

/** For a route that takes no body, and for one that takes no query. */
export const Nothing = z.undefined()
export const NoQuery = z.object({})
