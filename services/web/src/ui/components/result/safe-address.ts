const ALLOWED: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

/** The address when it is one a person may follow from untrusted text, else undefined. */
export function safeAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && ALLOWED.has(url.protocol) ? url.href : undefined
}

/** Where a link leads, in short: the host, or the address of a mail. */
export function placeOf(address: string): string {
  const url = new URL(address)
  return url.protocol === 'mailto:' ? url.pathname : url.host
}
