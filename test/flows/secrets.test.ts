import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { notifier } from '../harness/servers.ts'

const PLANTED = 'planted-TESTSECRET'

let house: House
let ada: Person

beforeAll(async () => {
  house = await openHouse()
  ada = await Person.first(house.url)
})
afterAll(() => house?.[Symbol.asyncDispose]())

describe('secrets over HTTP', () => {
  it('are set, used, listed and deleted, and never read', async () => {
    const answers = [
      await ada.send('PUT', '/api/secrets/TOKEN', { value: PLANTED }),
      await ada.send('POST', '/api/servers', { ...notifier('user'), env: { TOKEN: '${TOKEN}' } }),
      await ada.send('GET', '/api/secrets'),
      await ada.send('GET', '/api/secrets/TOKEN'),
      await ada.problem('DELETE', '/api/secrets/TOKEN'),
      await ada.send('DELETE', '/api/secrets/TOKEN?force=true'),
      await ada.problem('GET', '/api/secrets/TOKEN'),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([200, 201, 200, 200, 409, 204, 404])
    expect(answers[3]?.body).toMatchObject({ name: 'TOKEN', used_by: ['user'] })
    expect(answers[4]?.body).toMatchObject({ code: 'conflict', detail: 'The secret TOKEN is used by: user.' })
    expect(JSON.stringify(answers)).not.toContain(PLANTED)
  }, 60_000)

  it.each([
    ['PUT', '/api/secrets/1BAD', { value: 'x' }],
    ['PUT', '/api/secrets/GOOD', { value: '' }],
    ['PUT', '/api/secrets/GOOD', { value: 'x'.repeat(32_769) }],
    ['PUT', '/api/secrets/GOOD', { value: 'x', more: 1 }],
  ] as const)('%s %s is refused when it is not valid', async (method, path, body) => {
    const { status } = await ada.problem(method, path, body)
    expect(status).toBe(400)
  })
})
