import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { composeNatsConfig } from '@althing/local-stack/nats-config'
import { asyncApiDocument } from '@althing/protocol/asyncapi'
import { BUCKETS, BUS_CONTRACTS, ROUTES } from '@althing/protocol/catalogue'
import { openApiDocument } from '@althing/protocol/openapi'
import { errorsMarkdown, subjectsMarkdown } from '@althing/protocol/reference'

/** `make docs` writes what derives from the contracts; with `--check` it only tells what is not current. */
const DOCUMENTS: Readonly<Record<string, () => string>> = {
  'docs/generated/asyncapi.json': () => json(asyncApiDocument(BUS_CONTRACTS)),
  'docs/generated/openapi.json': () => json(openApiDocument(ROUTES)),
  'docs/generated/subjects.md': () => subjectsMarkdown(BUS_CONTRACTS),
  'docs/generated/errors.md': () => errorsMarkdown(),
  'docs/adr/README.md': adrIndex,
  'docker/nats.conf': () => composeNatsConfig(BUS_CONTRACTS, BUCKETS),
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function adrIndex(): string {
  const rows = readdirSync('docs/adr')
    .filter((file) => /^\d{4}-.+\.md$/.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(`docs/adr/${file}`, 'utf8')
      const title = /^# (.+)$/m.exec(text)?.[1] ?? file
      const status = /^Status: (.+)$/m.exec(text)?.[1] ?? 'unknown'
      return `| [${file.slice(0, 4)}](${file}) | ${title} | ${status} |`
    })
  return `# Decisions\n\nMade by \`make docs\` from the files beside it.\n\n| | decision | status |\n|---|---|---|\n${rows.join('\n')}\n`
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const check = process.argv.includes('--check')
const stale: string[] = []
for (const [path, make] of Object.entries(DOCUMENTS)) {
  const text = make()
  if (read(path) === text) continue
  stale.push(path)
  if (!check) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
if (check && stale.length > 0) {
  console.error(`Not current: ${stale.join(', ')}. Run "make docs".`)
  process.exitCode = 1
} else {
  console.log(stale.length === 0 ? 'All documents are current.' : `Written: ${stale.join(', ')}`)
}
