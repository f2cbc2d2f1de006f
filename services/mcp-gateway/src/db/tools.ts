import type { Tool, ToolProblem } from '@althing/protocol/model/tool'
import { jsonb } from '@althing/runtime/db'
import { sql } from 'kysely'
import { type PinPolicy, pinDiff, pinHash } from '../tools/pin.ts'
import type { GatewayDb, ServerRow, ToolRow } from './tables.ts'

/** A tool as it is offered under a policy: under `hold` as it was accepted, else as it is. */
function offered({ definition, candidate }: ToolRow, policy: PinPolicy): Tool {
  if (candidate === null) return definition
  const pinned = { state: 'changed' as const, diff: pinDiff(definition, candidate) }
  return { ...(policy === 'hold' ? definition : candidate), pinned }
}

export class ToolTable {
  readonly #db: GatewayDb
  readonly #defaultPolicy: PinPolicy

  constructor(db: GatewayDb, defaultPolicy: PinPolicy) {
    this.#db = db
    this.#defaultPolicy = defaultPolicy
  }

  policyOf(server: Pick<ServerRow, 'pin_policy'>): PinPolicy {
    return server.pin_policy ?? this.#defaultPolicy
  }

  async of(server: ServerRow): Promise<Tool[]> {
    return (await this.ofAll([server])).get(server.id) ?? []
  }

  async ofAll(servers: readonly ServerRow[]): Promise<Map<string, Tool[]>> {
    const found = new Map<string, Tool[]>()
    if (servers.length === 0) return found
    const policies = new Map(servers.map((server) => [server.id, this.policyOf(server)]))
    const rows = await this.#db
      .selectFrom('tools')
      .selectAll()
      .where('server_id', 'in', [...policies.keys()])
      .where('listed', '=', true)
      .orderBy('position')
      .execute()
    for (const row of rows) {
      const tools = found.get(row.server_id) ?? []
      tools.push(offered(row, policies.get(row.server_id) ?? this.#defaultPolicy))
      found.set(row.server_id, tools)
    }
    return found
  }

  async count(): Promise<Map<string, number>> {
    const rows = await this.#db
      .selectFrom('tools')
      .select((eb) => ['server_id', eb.fn.countAll<string>().as('tools')])
      .where('listed', '=', true)
      .groupBy('server_id')
      .execute()
    return new Map(rows.map((row) => [row.server_id, Number(row.tools)]))
  }

  /** The tools of a server that may not be called: changed, and held until a person accepts the change. */
  async heldOf(server: ServerRow): Promise<Set<string>> {
    if (this.policyOf(server) !== 'hold') return new Set()
    const rows = await this.#db
      .selectFrom('tools')
      .select('name')
      .where('server_id', '=', server.id)
      .where('candidate', 'is not', null)
      .execute()
    return new Set(rows.map((row) => row.name))
  }

  /** Takes what a server lists now. Gives the names of tools that differ from what was accepted. */
  async take(server: ServerRow, tools: readonly Tool[], problems: readonly ToolProblem[]): Promise<string[]> {
    const policy = this.policyOf(server)
    const changed: string[] = []
    await this.#db.transaction().execute(async (trx) => {
      // The connections of several people to one server list at the same time: they take turns.
      await trx.selectFrom('servers').select('id').where('id', '=', server.id).forUpdate().execute()
      const rows = await trx.selectFrom('tools').selectAll().where('server_id', '=', server.id).execute()
      const known = new Map(rows.map((row) => [row.name, row]))
      await trx.updateTable('tools').set({ listed: false }).where('server_id', '=', server.id).execute()
      const written = tools.map((tool, position) => {
        const row = known.get(tool.name)
        const hash = pinHash(tool)
        // Rows from before definitions were pinned have no hash: what is listed now is what is accepted.
        const accepted = row === undefined || row.hash === '' || row.hash === hash || policy === 'accept'
        if (!accepted) changed.push(tool.name)
        return {
          server_id: server.id,
          name: tool.name,
          alias: tool.alias,
          position,
          listed: true,
          definition: jsonb(accepted || row === undefined ? tool : row.definition),
          hash: accepted || row === undefined ? hash : row.hash,
          candidate: accepted ? null : jsonb(tool),
          candidate_hash: accepted ? null : hash,
        }
      })
      for (const row of written) {
        const { server_id, name, ...columns } = row
        await trx
          .insertInto('tools')
          .values(row)
          .onConflict((conflict) => conflict.columns(['server_id', 'name']).doUpdateSet(columns))
          .execute()
      }
      await trx
        .updateTable('servers')
        .set({ tool_problems: jsonb(problems) })
        .where('id', '=', server.id)
        .execute()
    })
    return changed
  }

  /** Makes the changed definition the accepted one. False when there is none, or not the one that was shown. */
  async accept(
    server: ServerRow,
    name: string,
    user: string,
    diff: string | undefined,
  ): Promise<Tool | undefined> {
    const row = await this.#db
      .selectFrom('tools')
      .selectAll()
      .where('server_id', '=', server.id)
      .where('name', '=', name)
      .executeTakeFirst()
    if (!row?.candidate) return undefined
    if (diff !== undefined && diff !== pinDiff(row.definition, row.candidate)) return undefined
    const { candidate, candidate_hash: hash } = row
    const done = await this.#db
      .updateTable('tools')
      .set({
        definition: jsonb(candidate),
        hash: hash ?? '',
        candidate: null,
        candidate_hash: null,
        accepted_by: user,
        accepted_at: sql<Date>`now()`,
      })
      .where('server_id', '=', server.id)
      .where('name', '=', name)
      .where('candidate_hash', '=', hash)
      .executeTakeFirst()
    return done.numUpdatedRows > 0n ? candidate : undefined
  }
}
