import { AppError } from '@althing/protocol/errors'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Lists go back in time by id, which begins with the time. The cursor is the last id given, made opaque. */
export function encodeCursor(id: string): string {
  return Buffer.from(id).toString('base64url')
}

export function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8')
  if (!UUID.test(id)) throw new AppError('invalid_request', 'cursor: not one that was given out')
  return id
}

/** Cuts a list that was read one row too far, and tells where to go on. */
export function pageOf<R extends { id: string }>(rows: R[], limit: number): { rows: R[]; next?: string } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return rows.length > limit && last ? { rows: page, next: encodeCursor(last.id) } : { rows: page }
}
