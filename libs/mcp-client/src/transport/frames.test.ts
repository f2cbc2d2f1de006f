import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Frames } from './frames.ts'

function collect(chunks: readonly Buffer[], most = 1000) {
  const lines: string[] = []
  const long: { head: string; tail: string; bytes: number }[] = []
  const frames = new Frames(most, {
    onLine: (line) => lines.push(line.toString('utf8')),
    onTooLong: (head, tail, bytes) =>
      long.push({ head: head.toString('latin1'), tail: tail.toString('latin1'), bytes }),
  })
  for (const chunk of chunks) frames.push(chunk)
  frames.end()
  return { lines, long }
}

describe('frames', () => {
  it('do not care where a chunk ends, even within a character', () => {
    const text = '{"text":"é漢😀"}\n\r\n{"b":2}\r\n'
    const whole = Buffer.from(text)
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length)), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), whole.length]
        const chunks = at.slice(1).map((end, index) => whole.subarray(at[index], end))
        expect(collect(chunks).lines).toEqual(['{"text":"é漢😀"}', '{"b":2}'])
      }),
    )
  })

  it('drop a byte order mark before the first', () => {
    expect(collect([Buffer.from('\uFEFF{"a":1}\n')]).lines).toEqual(['{"a":1}'])
  })

  it('throw away a line over the limit, tell both its ends, and go on', () => {
    const line = `{"id":7,"x":"${'y'.repeat(100_000)}","end":true}`
    const { lines, long } = collect([Buffer.from(`${line}\n{"next":1}\n`)], 1000)
    expect(lines).toEqual(['{"next":1}'])
    expect(long[0]?.bytes).toBe(line.length)
    expect(long[0]?.tail.endsWith('"end":true}')).toBe(true)
    expect(long[0]?.head.startsWith('{"id":7') || (long[0]?.tail.length ?? 0) > 0).toBe(true)
  })
})
