const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `just now`, `4 min ago`, `3 h ago`, `yesterday`, else the date. */
export function relativeTime(at: Date, now: Date, locale?: string): string {
  const past = now.getTime() - at.getTime()
  if (past < -MINUTE) return `in ${duration(-past)}`
  if (past < MINUTE) return 'just now'
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY)
  if (days === 0) return `${Math.floor(past / HOUR)} h ago`
  if (days === 1) return 'yesterday'
  const sameYear = at.getFullYear() === now.getFullYear()
  return at.toLocaleDateString(locale, {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' as const }),
  })
}

/** `142 ms`, `0.8 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 995) return `${Math.round(ms)} ms`
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < MINUTE) return `${Math.round(ms / 1000)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / 1000)} s`
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`
}

export function exactTime(at: Date, locale?: string): string {
  return at.toLocaleString(locale, { dateStyle: 'full', timeStyle: 'medium' })
}

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()
}
