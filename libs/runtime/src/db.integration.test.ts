import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@althing/local-stack/stack'
import { expect, it } from 'vitest'
import { openPool } from './db.ts'
import { openLog } from './log.ts'

it('outlives the loss of a connection that is in use', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'althing-db-'))
  const stack = await startStack({ dataDir, durable: false, services: {}, say: () => {} })
  const log = openLog('test', 'test', 'fatal')
  const pool = openPool({ url: stack.adminDatabaseUrl(), schema: 'gateway', log })
  try {
    const held = await pool.connect()
    await held.query('begin')
    const { rows } = await held.query('select pg_backend_pid() as pid')
    const lost = new Promise((resolve) => held.once('end', resolve))
    await pool.query('select pg_terminate_backend($1)', [rows[0].pid])
    await lost
    await expect(held.query('select 1')).rejects.toThrow()
    held.release(true)
  } finally {
    await pool.end()
    await stack[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  }
})
