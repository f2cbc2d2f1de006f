import type { BusContract } from './define.ts'
import { ERRORS } from './errors.ts'

const MADE = 'Made by `make docs` from the contracts.'

/** Every subject of the bus as a table: who owns it, who uses it, what it is for. */
export function subjectsMarkdown(contracts: readonly BusContract[]): string {
  const rows = contracts.map((contract) => [
    `\`${contract.subject.template}\``,
    contract.kind === 'event' && contract.stream ? `event, kept in ${contract.stream.name}` : contract.kind,
    contract.owner,
    (contract.kind === 'event' ? contract.consumers : contract.callers).join(', '),
    contract.doc,
  ])
  return page('Subjects of the bus', ['subject', 'kind', 'owner', 'used by', 'what for'], rows)
}

/** The error table: code, statuses, what to do about it, meaning. */
export function errorsMarkdown(): string {
  const rows = Object.entries(ERRORS).map(([code, row]) => [
    `\`${code}\``,
    String(row.status),
    String(row.bus),
    row.retry,
    row.title,
  ])
  return page('Errors', ['code', 'HTTP', 'bus', 'try again', 'meaning'], rows)
}

function page(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const table = [line(columns), line(columns.map(() => '---')), ...rows.map(line)]
  return `# ${title}\n\n${MADE}\n\n${table.join('\n')}\n`
}
