import type { getInbox, listBriefings, markBriefing } from '@althing/protocol/http/inbox'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export const inboxQuery = queryOptions({
  queryKey: ['inbox'],
  queryFn: ({ signal }) => call<typeof getInbox>('GET', '/api/inbox', { signal }),
})

export const briefingsQuery = queryOptions({
  queryKey: ['briefings'],
  queryFn: ({ signal }) => call<typeof listBriefings>('GET', '/api/briefings', { signal }),
})

export const setBriefingState = (id: string, state: 'read' | 'done') =>
  call<typeof markBriefing>('POST', '/api/inbox/briefings/{id}', { params: { id }, body: { state } })
