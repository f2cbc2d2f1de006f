const LONGEST = 90

/** A briefing's title: the first sentence or line of its summary. */
export function titleOf(summary: string): string {
  const line = summary.trim().split(/\r?\n/, 1)[0]?.trim() ?? ''
  const sentence = /^.+?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
  const plain = sentence.replace(/\.$/, '')
  const characters = [...plain]
  if (characters.length <= LONGEST) return plain
  const cut = characters.slice(0, LONGEST - 1).join('')
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), LONGEST / 2)).trimEnd()}…`
}
