import type { listBatches, listEvents, runTriage } from '@althing/protocol/http/events'
import type { Event } from '@althing/protocol/model/event'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export interface EventFilter {
  readonly state?: Event['state'] | undefined
  readonly server?: string | undefined
}

export const eventsQuery = (filter: EventFilter) =>
  queryOptions({
    queryKey: ['events', filter],
    queryFn: ({ signal }) =>
      call<typeof listEvents>('GET', '/api/events', { query: { ...filter, limit: 200 }, signal }),
    placeholderData: keepPreviousData,
  })

export const batchesQuery = queryOptions({
  queryKey: ['batches'],
  queryFn: ({ signal }) => call<typeof listBatches>('GET', '/api/batches', { query: { limit: 50 }, signal }),
})

export const judgeNow = () => call<typeof runTriage>('POST', '/api/tic/run', {})
