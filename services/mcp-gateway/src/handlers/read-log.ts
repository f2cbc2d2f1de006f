import type { Actor } from '@althing/protocol/model/actor'
import type { LogLine } from '@althing/protocol/model/log'
import type { GatewayDb } from '../db/tables.ts'
import { isAtLeast } from '../logs/level.ts'
import { mustFind } from './find-server.ts'

interface ReadLogDeps {
  readonly db: GatewayDb
  /** At least that many lines of a server, if there are so many; oldest first. */
  readonly history: (serverId: string, lines: number) => Promise<LogLine[]>
}

/** A filter throws lines away, so that more of them are looked at than asked for. */
const LOOK_BACK = 10_000

export function readLog({ db, history }: ReadLogDeps) {
  return async ({
    actor,
    name,
    tail,
    level,
  }: {
    actor: Actor
    name: string
    tail: number
    level?: string | undefined
  }) => {
    const row = await mustFind(db, actor, name)
    const lines = await history(row.id, level === undefined ? tail : LOOK_BACK)
    return { server_id: row.id, lines: lines.filter((line) => isAtLeast(line, level)).slice(-tail) }
  }
}
