import { describe, expect, it } from 'vitest'
import { isTest, readSources, resolveImport, type Source } from './sources.ts'

const sources = readSources()
const product = sources.filter((source) => !isTest(source.path))

/** The package or service that a path belongs to. */
function home(path: string): string {
  return /^(?:libs|services|servers)\/[^/]+/.exec(path)?.[0] ?? path.split('/', 1)[0] ?? path
}

/** What each home may import besides itself and packages from outside. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'libs/protocol': [],
  'libs/runtime': ['libs/protocol'],
  'libs/mcp-client': ['libs/protocol'],
  'libs/local-stack': ['libs/protocol', 'libs/runtime', 'libs/mcp-client', 'migrations'],
  'services/mcp-gateway': ['libs/protocol', 'libs/runtime', 'libs/mcp-client'],
  'services/agent': ['libs/protocol', 'libs/runtime'],
  'services/tic-worker': ['libs/protocol', 'libs/runtime'],
  'services/web': ['libs/protocol', 'libs/runtime'],
  migrations: ['libs/protocol', 'libs/runtime'],
  tools: ['libs/protocol', 'libs/runtime', 'libs/local-stack'],
}

function wrongArrows(source: Source): string[] {
  const from = home(source.path)
  const allowed = ALLOWED[from]
  if (allowed === undefined) return []
  return source.imports
    .map((specifier) => home(resolveImport(source.path, specifier)))
    .filter(
      (to) =>
        /^(?:libs|services|servers|migrations|tools|test)\b/.test(to) && to !== from && !allowed.includes(to),
    )
    .map((to) => `${source.path} imports ${to}`)
}

describe('who may import what', () => {
  it('finds the sources', () => {
    expect(product.length).toBeGreaterThan(50)
  })

  it('follows the arrows between libraries and services', () => {
    expect(product.flatMap(wrongArrows)).toEqual([])
  })

  it('keeps the protocol free of everything but zod', () => {
    const wrong = product
      .filter((source) => source.path.startsWith('libs/protocol/'))
      .flatMap((source) =>
        source.imports
          .filter((name) => !name.startsWith('.') && name !== 'zod')
          .map((name) => `${source.path}: ${name}`),
      )
    expect(wrong).toEqual([])
  })

  it('keeps the database and the bus out of the MCP client', () => {
    const wrong = product
      .filter((source) => source.path.startsWith('libs/mcp-client/'))
      .filter((source) => source.imports.some((name) => /^(?:@nats-io|pg$|kysely)/.test(name)))
      .map((source) => source.path)
    expect(wrong).toEqual([])
  })

  it('lets the UI import only the nouns, routes and errors of the protocol', () => {
    const wrong = sources
      .filter((source) => source.path.startsWith('services/web/src/ui/'))
      .flatMap((source) =>
        source.imports
          .filter(
            (name) =>
              name.startsWith('@althing/') && !/^@althing\/protocol\/(?:model|http|errors|define)/.test(name),
          )
          .concat(source.imports.filter((name) => name.includes('../server/')))
          .map((name) => `${source.path}: ${name}`),
      )
    expect(wrong).toEqual([])
  })

  it('keeps domain folders away from handlers, service.ts and the bus', () => {
    const BUILDS = new Set(['main.ts', 'service.ts', 'config.ts'])
    const wrong = product
      .filter((source) => /^services\/[^/]+\/src\/(?!ui\/)/.test(source.path))
      .filter((source) => {
        const inside = source.path.replace(/^services\/[^/]+\/src\/(?:server\/)?/, '')
        return (
          inside.includes('/') && !/^(?:handlers|routes|mcp|auth|live)\//.test(inside) && !BUILDS.has(inside)
        )
      })
      .flatMap((source) =>
        source.imports
          .filter((name) => /(?:^|\/)handlers\/|\/service\.ts$|@althing\/runtime\/bus\/bus$/.test(name))
          .map((name) => `${source.path}: ${name}`),
      )
    expect(wrong).toEqual([])
  })

  it('has no cycles', () => {
    const byPath = new Map(product.map((source) => [source.path, source]))
    const done = new Set<string>()
    const cycles: string[] = []
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
        return
      }
      const source = byPath.get(path)
      if (source === undefined || done.has(path)) return
      for (const specifier of source.imports) visit(resolveImport(path, specifier), [...trail, path])
      done.add(path)
    }
    for (const path of byPath.keys()) visit(path, [])
    expect(cycles).toEqual([])
  })
})
