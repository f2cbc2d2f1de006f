const MOST = 3

/** The names that are most like what was asked for, the nearest first. */
export function nearNames(wanted: string, names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, distance: distance(wanted, name) }))
    .filter(({ name, distance: far }) => far <= Math.max(3, name.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map(({ name }) => name)
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
