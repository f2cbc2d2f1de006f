import { ensureConnection } from '@althing/protocol/bus/gateway'
import type { Actor } from '@althing/protocol/model/actor'
import type { Bus } from '@althing/runtime/bus/bus'
import { Located } from '@althing/runtime/bus/located'

export interface Target {
  readonly actor: Actor
  readonly name: string
}

export type Connections = Located<Target, string>

/** Where the calls of a person to a server go: the connection's id, asked for anew when nobody serves it. */
export function locateConnections(bus: Bus): Connections {
  return new Located<Target, string>(
    async (target) => (await bus.call(ensureConnection, target)).connection,
    ({ actor, name }) => `${actor.user}/${actor.role}/${name}`,
  )
}
