import { followLive } from '@althing/protocol/http/live'
import { type LiveFeed, readPosition } from '../live/feed.ts'
import type { StreamOpener } from '../live/stream.ts'
import type { RouteBinder } from './bind.ts'

/**
 * What happens, to the person it concerns. A client that names where it stopped gets what it missed first; when
 * that is not held any more it is told `resync`, and fetches what it shows anew.
 */
export function bindLive(routes: RouteBinder, feed: LiveFeed, openStream: StreamOpener): void {
  routes.bindRaw(followLive, async ({ actor, request, reply }) => {
    const last = request.headers['last-event-id']
    await feed.started
    const stream = openStream(request, reply, () => feed.position)
    using _following = feed.follow(
      actor.user,
      last === undefined ? undefined : readPosition(String(last)),
      (text) => stream.send(text),
    )
    await stream.ended
    return reply
  })
}
