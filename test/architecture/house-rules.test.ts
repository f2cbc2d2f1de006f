import { describe, expect, it } from 'vitest'
import { isTest, readSources } from './sources.ts'

const sources = readSources()
const product = sources.filter((source) => !isTest(source.path) && !source.path.startsWith('test/'))
const MOST_LINES = 300

describe('house rules', () => {
  it('keeps files short', () => {
    const long = product
      .map((source) => [source.path, source.text.split('\n').length - 1] as const)
      .filter(([, lines]) => lines > MOST_LINES)
      .map(([path, lines]) => `${path}: ${lines}`)
    expect(long).toEqual([])
  })

  it('names files and folders by what they hold', () => {
    const bad = sources.filter(({ path }) =>
      /(?:^|\/)(?:utils?|helpers?|common|shared|misc|index)(?:\/|\.tsx?$)/.test(path),
    )
    expect(bad.map(({ path }) => path)).toEqual([])
  })

  it('uses kebab-case file names', () => {
    const bad = sources.filter(({ path }) => !/^(?:.*\/)?[a-z0-9_.-]+\.tsx?$/.test(path))
    expect(bad.map(({ path }) => path)).toEqual([])
  })

  it('reads the environment in one file only', () => {
    const readers = product.filter(
      ({ path, text }) =>
        text.includes('process.env') &&
        !/^(?:libs\/runtime\/src\/config\.ts|libs\/local-stack\/|tools\/|servers\/)/.test(path),
    )
    expect(readers.map(({ path }) => path)).toEqual([])
  })

  it('writes no subject outside the contracts', () => {
    const literal = /['"`](?:gateway|agent|tic|web)\.v\d+\./
    const writers = product.filter(
      ({ path, text }) => literal.test(text) && !path.startsWith('libs/protocol/src/bus/'),
    )
    expect(writers.map(({ path }) => path)).toEqual([])
  })

  it('ends a process only at a deadline', () => {
    const exits = product.filter(
      ({ path, text }) =>
        /process\.exit\(/.test(text) && !/^(?:libs\/runtime\/src\/run\.ts|libs\/local-stack\/)/.test(path),
    )
    expect(exits.map(({ path }) => path)).toEqual([])
  })

  it('leaves no test out and no work marked unfinished', () => {
    const marks = sources.filter(
      ({ path, text }) =>
        !path.endsWith('house-rules.test.ts') &&
        /\b(?:it|describe|test)\.(?:only|skip|todo)\(|FIXME|HACK|XXX/.test(text),
    )
    expect(marks.map(({ path }) => path)).toEqual([])
  })
})
