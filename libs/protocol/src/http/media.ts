import * as z from 'zod'
import { defineRoute } from '../define.ts'
import { NoQuery, Nothing } from './empty.ts'

export const getMedia = defineRoute({
  name: 'getMedia',
  method: 'GET',
  path: '/api/mcp-media/{file}',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.unknown() },
  produces: 'application/octet-stream',
  errors: ['not_found', 'unavailable'],
  tag: 'media',
  doc: 'Bytes that came with a result, for whoever may see the call. Only pictures and sound are shown in place.',
})
