import * as agent from '@althing/protocol/bus/agent'
import * as unattended from '@althing/protocol/bus/agent-unattended'
import * as gateway from '@althing/protocol/bus/gateway'
import * as elicitation from '@althing/protocol/bus/gateway-elicitation'
import * as oauth from '@althing/protocol/bus/gateway-oauth'
import * as relay from '@althing/protocol/bus/gateway-relay'
import * as secrets from '@althing/protocol/bus/gateway-secrets'
import * as tic from '@althing/protocol/bus/tic'
import * as schedules from '@althing/protocol/bus/tic-schedules'
import { BUS_CONTRACTS, ROUTES } from '@althing/protocol/catalogue'
import { describe, expect, it } from 'vitest'
import { readSources } from '../architecture/sources.ts'

const TOKENS = { 'mcp-gateway': 'gateway', agent: 'agent', 'tic-worker': 'tic', web: 'web' } as const

describe('the catalogue', () => {
  it('lists every contract that a file of the bus defines', () => {
    const defined = [gateway, relay, elicitation, secrets, oauth, agent, unattended, tic, schedules]
      .flatMap((file) => Object.values(file))
      .filter((value) => typeof value === 'object' && 'kind' in value)
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
