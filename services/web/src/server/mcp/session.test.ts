import { describe, expect, it } from 'vitest'
import { Sessions } from './session.ts'

describe('Sessions', () => {
  it('are known to every replica that has the secret, for their person alone', () => {
    const { id } = new Sessions('secret').begin('ada', '2025-11-25', { elicitation: { form: {} }, other: 1 })
    const elsewhere = new Sessions('secret')
    expect(elsewhere.find(id, 'ada')).toMatchObject({
      version: '2025-11-25',
      capabilities: { elicitation: { form: {} } },
    })
    expect(elsewhere.find(id, 'bob')).toBeUndefined()
    expect(new Sessions('another').find(id, 'ada')).toBeUndefined()
  })

  it('are not believed when they were changed or made up', () => {
    const sessions = new Sessions('secret')
    const { id } = sessions.begin('ada', '2025-11-25', {})
    const [text, signature] = id.split('.')
    const forged = Buffer.from(JSON.stringify({ user: 'bob', version: 'x', capabilities: {} })).toString(
      'base64url',
    )
    for (const bad of ['', 'x', `${forged}.${signature}`, `${text}.`, `${text}.AAAA`, 'y'.repeat(10_000)])
      expect(new Sessions('secret').find(bad, 'bob')).toBeUndefined()
  })

  it('are over once they were ended', () => {
    const sessions = new Sessions('secret')
    const { id } = sessions.begin('ada', '2025-11-25', {})
    sessions.end(id)
    expect(sessions.find(id, 'ada')).toBeUndefined()
  })
})
