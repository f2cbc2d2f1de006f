/** Space-separated scopes, each once, in the order they came. Undefined when there is none. */
export function joinScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const all = new Set(scopes.flatMap((scope) => wordsOf(scope)))
  return all.size === 0 ? undefined : [...all].join(' ')
}

/** Whether every scope of `wanted` is in `given`. */
export function covers(given: string | undefined, wanted: string | undefined): boolean {
  const have = new Set(wordsOf(given))
  return wordsOf(wanted).every((word) => have.has(word))
}

export function wordsOf(scope: string | undefined): string[] {
  return (scope ?? '').split(/\s+/).filter((word) => word !== '')
}
