import { describe, expect, it } from 'vitest'
import { addressPolicy, maySee, mustBeAllowedToChange, mustBeAllowedToRegister } from './access.ts'

const admin = { user: 'ada', role: 'admin' as const }
const member = { user: 'bob', role: 'member' as const }
const auditor = { user: 'eve', role: 'auditor' as const }
const strict = { stdio: false, privateNetworks: false }

describe('who sees a server', () => {
  it('is everybody for a shared one, its owner for a personal one', () => {
    expect(maySee(member, { owner: 'ada', scope: 'shared' })).toBe(true)
    expect(maySee(member, { owner: 'ada', scope: 'personal' })).toBe(false)
    expect(maySee(admin, { owner: 'bob', scope: 'personal' })).toBe(false)
    expect(maySee(member, { owner: 'bob', scope: 'personal' })).toBe(true)
  })
})

describe('who changes a server', () => {
  it.each([
    [admin, { owner: 'x', scope: 'shared' as const }, true],
    [member, { owner: 'bob', scope: 'shared' as const }, false],
    [member, { owner: 'bob', scope: 'personal' as const }, true],
    [auditor, { owner: 'eve', scope: 'personal' as const }, false],
  ])('%o of %o: %s', (actor, server, allowed) => {
    const change = () => mustBeAllowedToChange(actor, server)
    if (allowed) expect(change).not.toThrow()
    else expect(change).toThrow(expect.objectContaining({ code: 'forbidden' }))
  })
})

describe('who registers a server', () => {
  it('is an administrator for programs and shared ones', () => {
    const program = { transport: 'stdio', scope: 'personal' as const }
    expect(() => mustBeAllowedToRegister(admin, program, strict)).not.toThrow()
    expect(() => mustBeAllowedToRegister(member, program, strict)).toThrow(/administrator/)
    expect(() => mustBeAllowedToRegister(member, program, { ...strict, stdio: true })).not.toThrow()
    expect(() => mustBeAllowedToRegister(member, { transport: 'http', scope: 'shared' }, strict)).toThrow(
      /share/,
    )
    expect(() =>
      mustBeAllowedToRegister(member, { transport: 'http', scope: 'personal' }, strict),
    ).not.toThrow()
    expect(() => mustBeAllowedToRegister(auditor, { transport: 'http', scope: 'personal' }, strict)).toThrow(
      /auditor/,
    )
  })
})

it("keeps a member's own servers out of inner networks", () => {
  expect(addressPolicy({ owner: 'bob', scope: 'personal' }, false, strict)).toEqual({
    loopback: false,
    private: false,
  })
  expect(addressPolicy({ owner: 'ada', scope: 'shared' }, false, strict)).toEqual({
    loopback: true,
    private: true,
  })
})
