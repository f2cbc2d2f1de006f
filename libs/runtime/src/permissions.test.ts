import { BUS_CONTRACTS } from '@althing/protocol/catalogue'
import { describe, expect, it } from 'vitest'
import { natsPermissions } from './permissions.ts'

const permissions = natsPermissions(BUS_CONTRACTS)

describe('permissions from the contracts', () => {
  it('let callers ask, owners answer, and nobody else do either', () => {
    expect(permissions.web.publish).toContain('gateway.v1.server.register')
    expect(permissions.web.subscribe).not.toContain('gateway.v1.server.register')
    expect(permissions['mcp-gateway'].subscribe).toContain('gateway.v1.server.register')
    expect(permissions['mcp-gateway'].publish).toContain('_INBOX_web.>')
    expect(permissions['tic-worker'].publish).not.toContain('gateway.v1.server.register')
  })

  it('give everybody their own inbox only', () => {
    for (const [service, { subscribe }] of Object.entries(permissions)) {
      expect(subscribe.filter((subject) => subject.startsWith('_INBOX_'))).toEqual([`_INBOX_${service}.>`])
    }
  })

  it('let a stream be read by its consumers only', () => {
    expect(permissions['tic-worker'].publish).toContain('$JS.ACK.INTAKE.>')
    for (const service of ['web', 'agent', 'mcp-gateway'] as const) {
      expect(permissions[service].publish.filter((subject) => subject.includes('INTAKE'))).toEqual([])
    }
  })

  it('let nobody manage streams', () => {
    const all = Object.values(permissions).flatMap(({ publish }) => publish)
    expect(
      all.filter((subject) =>
        /\$JS\.API\.STREAM\.(?:CREATE|DELETE|UPDATE|PURGE)|^>$|^\$JS\.>$/.test(subject),
      ),
    ).toEqual([])
  })
})
