import type { ArgumentCondition } from '@althing/protocol/model/approval'
import { expect, it } from 'vitest'
import type { ApprovalRuleRow } from '../db/tables.ts'
import { decide, inOrder, isHidden, type WantedCall } from './decide.ts'

const call: WantedCall = {
  name: 'mcp__mail__send',
  serverId: 'mail-1',
  agent: 'main',
  session: 's1',
  arguments: { to: ['ada@example.test'], body: 'hello' },
  otherwise: 'ask',
}

let made = 0
function rule(fields: Partial<ApprovalRuleRow>): ApprovalRuleRow {
  return {
    id: `rule-${String(++made).padStart(3, '0')}`,
    user_id: 'ada',
    session_id: null,
    server_id: null,
    agent: null,
    pattern: '*',
    action: 'allow',
    priority: 100,
    conditions: null,
    created_at: new Date(0),
    ...fields,
  }
}

const verdict = (rules: readonly ApprovalRuleRow[], wanted: Partial<WantedCall> = {}) =>
  decide(inOrder(rules), { ...call, ...wanted }).action

it('falls back to the default', () => {
  expect(verdict([])).toBe('ask')
  expect(decide([], call)).toEqual({ by: 'default', action: 'ask' })
})

it('takes the first by priority, not by age', () => {
  expect(verdict([rule({ action: 'allow', priority: 20 }), rule({ action: 'deny', priority: 10 })])).toBe(
    'deny',
  )
})

it('asks the rules of everybody first among equals', () => {
  expect(verdict([rule({ action: 'allow' }), rule({ action: 'deny', user_id: null })])).toBe('deny')
})

it('prefers the rule for one tool of one server to a pattern', () => {
  expect(verdict([rule({ action: 'ask' }), rule({ server_id: 'mail-1', pattern: call.name })])).toBe('allow')
})

it('does not give the rule of a server to another that took its name', () => {
  expect(verdict([rule({ server_id: 'mail-1', pattern: call.name })], { serverId: 'mail-2' })).toBe('ask')
})

it('holds a rule of a chat, or of an agent, to it', () => {
  expect(verdict([rule({ session_id: 's2' }), rule({ agent: 'tic' })])).toBe('ask')
  expect(verdict([rule({ session_id: 's1' })])).toBe('allow')
})

it.each<[string, ArgumentCondition, boolean]>([
  ['equals', { path: '/body', op: 'equals', value: 'hello' }, true],
  ['equals an array', { path: '/to', op: 'equals', value: ['ada@example.test'] }, true],
  ['not_equals', { path: '/body', op: 'not_equals', value: 'hello' }, false],
  ['starts_with', { path: '/to/0', op: 'starts_with', value: 'ada@' }, true],
  ['contains in a text', { path: '/body', op: 'contains', value: 'ell' }, true],
  ['contains in an array', { path: '/to', op: 'contains', value: 'eve@example.test' }, false],
  ['one_of', { path: '/body', op: 'one_of', value: ['hi', 'hello'] }, true],
  ['absent', { path: '/bcc', op: 'absent' }, true],
  ['a path into nothing', { path: '/to/0/deeper', op: 'equals', value: 'x' }, false],
  ['no member of a prototype', { path: '/constructor', op: 'absent' }, true],
])('condition: %s', (_name, condition, holds) => {
  expect(verdict([rule({ conditions: [condition] })])).toBe(holds ? 'allow' : 'ask')
})

it('hides what is denied whatever the arguments, and only that', () => {
  const tool = { name: call.name, serverId: 'mail-1', agent: 'main', session: 's1' }
  const some: ArgumentCondition[] = [{ path: '/to', op: 'absent' }]
  expect(isHidden(inOrder([rule({ action: 'deny' })]), tool)).toBe(true)
  expect(isHidden(inOrder([rule({ action: 'deny', conditions: some })]), tool)).toBe(false)
  expect(isHidden(inOrder([rule({ priority: 1 }), rule({ action: 'deny' })]), tool)).toBe(false)
  expect(isHidden(inOrder([rule({ action: 'deny', agent: 'tic' })]), tool)).toBe(false)
})
