import { SealKey } from '@althing/runtime/seal'
import { describe, expect, it } from 'vitest'
import { seal } from '../../services/web/src/ui/api/seal.ts'

describe('what a browser seals', () => {
  it.each(['', '{"password":"é漢😀"}', 'x'.repeat(100_000)])(
    'is opened by the process it is for',
    async (text) => {
      const key = new SealKey()
      const sealed = await seal(text, key.publicKey, 'card-1')
      expect(key.open(sealed, 'card-1')).toBe(text)
      expect(() => key.open(sealed, 'card-2')).toThrow()
    },
  )
})
