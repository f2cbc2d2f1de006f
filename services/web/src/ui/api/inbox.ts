import type { getInbox, listBriefings, markBriefing, resolveElicitation } from '@althing/protocol/http/inbox'
import type { JsonObject } from '@althing/protocol/model/json'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { seal } from './seal.ts'

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

/** Answers what a server asked: the content is sealed here for the process that asked, and for nobody between. */
export async function answerElicitation(
  { id, seal: key }: { readonly id: string; readonly seal: { readonly public_key: string } },
  action: 'accept' | 'decline' | 'cancel',
  content?: JsonObject,
): Promise<void> {
  const sealed =
    content === undefined ? {} : { sealed: await seal(JSON.stringify(content), key.public_key, id) }
  await call<typeof resolveElicitation>('POST', '/api/inbox/elicitations/{id}/resolve', {
    params: { id },
    body: { action, ...sealed },
  })
}
