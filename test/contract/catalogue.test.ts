import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { BUS_CONTRACTS, ROUTES } from '@althing/protocol/catalogue'
import type { BusContract } from '@althing/protocol/define'
import { describe, expect, it } from 'vitest'
import { readSources } from '../architecture/sources.ts'

const TOKENS = { 'mcp-gateway': 'gateway', agent: 'agent', 'tic-worker': 'tic', web: 'web' } as const

describe('the catalogue', () => {
  it('lists every contract that a file of the bus defines', async () => {
    const folder = join(import.meta.dirname, '../../libs/protocol/src/bus')
    const files = await Promise.all(readdirSync(folder).map((file) => import(join(folder, file))))
    const defined = files
      .flatMap((file) => Object.values(file as Record<string, unknown>))
      .filter(
        (value): value is BusContract => typeof value === 'object' && value !== null && 'subject' in value,
      )
    expect(defined.filter((contract) => !BUS_CONTRACTS.includes(contract))).toEqual([])
    expect(defined).toHaveLength(BUS_CONTRACTS.length)
  })

  it('has no name, subject or route twice', () => {
    for (const list of [
      BUS_CONTRACTS.map((contract) => contract.name),
      BUS_CONTRACTS.map((contract) => contract.subject.template),
      ROUTES.map((route) => route.name),
      ROUTES.map((route) => `${route.method} ${route.path.replaceAll(/\{\w+\}/g, '{}')}`),
    ]) {
      expect(new Set(list).size).toBe(list.length)
    }
  })

  it('names subjects <owner>.v<major>.<noun>.<verb>, ids last', () => {
    for (const { owner, subject } of BUS_CONTRACTS) {
      expect(subject.template).toMatch(
        new RegExp(`^${TOKENS[owner]}\\.v\\d+\\.[a-z]+\\.[a-z-]+(?:\\.\\{[a-z]+\\})*$`),
      )
    }
  })

  it('says of each contract what it is for', () => {
    for (const { name, doc } of [...BUS_CONTRACTS, ...ROUTES])
      expect(`${name}: ${doc}`).toMatch(/: \S.{9,}[.]$/)
  })

  it('has one handler file of the same name for each request and stream', () => {
    const files = new Set(readSources().map(({ path }) => path))
    const missing = BUS_CONTRACTS.filter((contract) => contract.kind !== 'event')
      .map(({ owner, name }) => `services/${owner}/src/handlers/${kebab(name.split('.')[1] ?? '')}.ts`)
      .filter((path) => !files.has(path))
    expect(missing).toEqual([])
  })
})

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
