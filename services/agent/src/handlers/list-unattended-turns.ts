import type { AgentDb, TurnRow } from '../db/tables.ts'

interface Input {
  readonly turns: readonly { readonly user: string; readonly turn_id: string }[]
}

interface Found {
  readonly turn_id: string
  readonly state: TurnRow['state']
  readonly error?: string
}

export function listUnattendedTurns({ db }: { db: AgentDb }) {
  return async ({ turns }: Input): Promise<{ turns: Found[] }> => {
    if (turns.length === 0) return { turns: [] }
    const owners = new Map(turns.map((turn) => [turn.turn_id, turn.user]))
    const rows = await db
      .selectFrom('turns')
      .innerJoin('sessions', 'sessions.id', 'turns.session_id')
      .select(['turns.id', 'turns.state', 'turns.error', 'sessions.user_id'])
      .where('turns.id', 'in', [...owners.keys()])
      .where('turns.unattended', '=', true)
      .execute()
    return {
      turns: rows
        .filter((row) => owners.get(row.id) === row.user_id)
        .map(({ id, state, error }) => ({ turn_id: id, state, ...(error === null ? {} : { error }) })),
    }
  }
}
