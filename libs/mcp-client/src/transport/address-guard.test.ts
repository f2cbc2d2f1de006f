import { describe, expect, it } from 'vitest'
import { isAllowed } from './address-guard.ts'

const open = { loopback: true, private: true }
const closed = { loopback: false, private: false }

describe('the address guard', () => {
  it.each([
    '169.254.169.254',
    '169.254.1.1',
    'fe80::1',
    'fd00:ec2::254',
    '0.0.0.0',
    '::',
    '224.0.0.1',
    '255.255.255.255',
    '::ffff:169.254.169.254',
  ])('never lets %s through', (address) => expect(isAllowed(address, open)).toBe(false))

  it.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '192.168.0.1',
    '172.16.0.1',
    'fc00::1',
    '100.64.0.1',
  ])('lets %s through by policy only', (address) => {
    expect(isAllowed(address, open)).toBe(true)
    expect(isAllowed(address, closed)).toBe(false)
  })

  it.each(['93.184.216.34', '2606:4700::1111'])('lets the public %s through', (address) => {
    expect(isAllowed(address, closed)).toBe(true)
  })
})
