import { describe, expect, it } from 'vitest'
import { kindOf } from './kind.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('kindOf', () => {
  it('believes bytes that are what they are called', async () => {
    expect(await kindOf(PNG, 'image/png')).toEqual({ mimeType: 'image/png', extension: 'png' })
  })

  it('believes the bytes over the claim', async () => {
    const kind = await kindOf(PNG, 'text/html')
    expect(kind).toMatchObject({ mimeType: 'image/png', extension: 'png', warning: expect.any(String) })
  })

  it.each(['text/html', 'image/svg+xml', 'application/javascript', 'image/png', 'nonsense', ''])(
    'never lets bytes without a signature pass as %s',
    async (claim) => {
      const kind = await kindOf(Buffer.from('<script>alert(1)</script>'), claim)
      expect(kind).toMatchObject({ mimeType: 'application/octet-stream', extension: 'bin' })
    },
  )

  it('keeps harmless texts what they are called', async () => {
    expect(await kindOf(Buffer.from('a,b'), 'text/csv; charset=utf-8')).toEqual({
      mimeType: 'text/csv',
      extension: 'csv',
    })
  })
})
