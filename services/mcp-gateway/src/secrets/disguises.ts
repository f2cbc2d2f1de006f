/** A value this short is in half of all words: hiding it would hide the log. */
const SHORTEST = 4

/** The forms in which a secret may turn up in a text: as it is, line by line, in JSON, in an address, in base64. */
export function disguisesOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const forms = [
    secret,
    ...secret.split(/\r?\n/).map((line) => line.trim()),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ]
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST)
}
