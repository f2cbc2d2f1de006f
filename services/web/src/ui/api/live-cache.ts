import type { Briefing } from '@althing/protocol/model/briefing'
import type { LiveEvent } from '@althing/protocol/model/live'
import type { Server } from '@althing/protocol/model/server'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { inboxQuery } from './inbox.ts'
import { applyToSession, type SessionEvent } from './live-session.ts'
import { readAgain } from './read-again.ts'
import { serverQuery, serversQuery, toolsQuery } from './servers.ts'
import { sessionQuery, sessionsQuery, turnFailureQuery } from './sessions.ts'

/** Writes what the live stream tells into the query cache. */
export function liveCache(client: QueryClient, onBriefing: (briefing: Briefing) => void) {
  const stale = (queryKey: QueryKey): void => readAgain(client, queryKey)

  const intoSession = (event: SessionEvent): void => {
    const query = sessionQuery(event.data.session_id)
    const session = client.getQueryData(query.queryKey)
    if (session === undefined) return
    const applied = applyToSession(session, event)
    if (applied === 'gap') stale(query.queryKey)
    else client.setQueryData(query.queryKey, applied)
  }

  const intoTurn = (event: Extract<LiveEvent, { type: 'turn.state' }>): void => {
    const { session_id: id, state, title, outcome, error } = event.data
    intoSession(event)
    client.setQueryData(turnFailureQuery(id).queryKey, outcome === 'failed' ? (error ?? '') : null)
    // Usage and whatever was missed come with the chat itself, once the turn is over.
    if (state === 'idle') stale(sessionQuery(id).queryKey)
    const list = client.getQueryData(sessionsQuery.queryKey)
    if (!list?.sessions.some((session) => session.id === id)) {
      stale(sessionsQuery.queryKey)
      return
    }
    client.setQueryData(sessionsQuery.queryKey, {
      ...list,
      sessions: list.sessions.map((session) =>
        session.id === id ? { ...session, state, ...(title === undefined ? {} : { title }) } : session,
      ),
    })
  }

  const intoServer = ({ data }: Extract<LiveEvent, { type: 'server.state' }>): void => {
    const { name, state, state_since, tool_count } = data
    if (state === 'deleted') {
      stale(serversQuery.queryKey)
      stale(['catalogue'])
      return
    }
    const patch = (server: Server): Server => {
      const { error: _old, next_try_at: _next, ...rest } = server
      return {
        ...rest,
        state,
        state_since,
        tool_count,
        ...(data.error === undefined ? {} : { error: data.error }),
      }
    }
    const list = client.getQueryData(serversQuery.queryKey)
    if (list?.servers.some((server) => server.id === data.server_id))
      client.setQueryData(serversQuery.queryKey, {
        servers: list.servers.map((server) => (server.id === data.server_id ? patch(server) : server)),
      })
    else stale(serversQuery.queryKey)
    client.setQueryData(serverQuery(name).queryKey, (server) =>
      server?.id === data.server_id ? patch(server) : server,
    )
    if (state === 'running') {
      stale(toolsQuery(name).queryKey)
      stale(serverQuery(name).queryKey)
    }
  }

  return (event: LiveEvent): void => {
    switch (event.type) {
      case 'turn.state':
        intoTurn(event)
        return
      case 'message.created':
      case 'message.delta':
      case 'message.done':
      case 'tool.started':
      case 'tool.progress':
      case 'tool.done':
        intoSession(event)
        return
      case 'server.state':
        intoServer(event)
        return
      case 'inbox.changed':
        client.setQueryData(inboxQuery.queryKey, (inbox) => inbox && { ...inbox, total: event.data.total })
        stale(inboxQuery.queryKey)
        return
      case 'briefing.created':
        stale(inboxQuery.queryKey)
        stale(['briefings'])
        stale(['events'])
        onBriefing(event.data.briefing)
        return
      case 'event.received':
        stale(['events'])
        stale(['batches'])
        return
      case 'server.log':
        return
    }
  }
}
