import type { ServerRow } from '../db/tables.ts'
import type { SignIns } from '../oauth/sign-ins.ts'

interface FinishDeps {
  readonly signIns: SignIns
  /** Connects a principal anew; resolves once the connection came to rest. */
  readonly reconnect: (server: ServerRow, principal: string, person: string) => Promise<void>
}

interface Input {
  readonly state: string
  readonly answer: Readonly<Record<string, string | undefined>>
  readonly person?: string | undefined
}

/** Any replica may finish what another began: all there is to know of it is in the database. */
export function finishOauth({ signIns, reconnect }: FinishDeps) {
  return async ({ state, answer, person }: Input): Promise<{ name: string }> => {
    const done = await signIns.finish(state, answer, person)
    await reconnect(done.server, done.place.principal, done.person)
    return { name: done.server.name }
  }
}
