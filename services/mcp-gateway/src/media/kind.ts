import { fileTypeFromBuffer } from 'file-type'

/** Media types that a page of ours may show in place; everything else is downloaded. */
const SHOWN = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['audio/mpeg', 'mp3'],
  ['audio/wav', 'wav'],
  ['audio/ogg', 'ogg'],
  ['audio/mp4', 'm4a'],
  ['audio/webm', 'weba'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm'],
])
/** Claims that have no signature to find, and do no harm as a download. */
const TEXTS = new Map([
  ['text/plain', 'txt'],
  ['text/csv', 'csv'],
  ['application/json', 'json'],
  ['text/markdown', 'md'],
])

export interface MediaKind {
  readonly mimeType: string
  /** Without its dot. */
  readonly extension: string
  /** How the claim was wrong, when it was. */
  readonly warning?: string
}

const ALIASES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'audio/x-wav': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/mp3': 'audio/mpeg',
  'audio/opus': 'audio/ogg',
}

/** What bytes are, by their own signature; what the server claims counts only where there is none. */
export async function kindOf(bytes: Uint8Array, claimed: string): Promise<MediaKind> {
  const claim = plain(claimed)
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (found !== undefined) {
    const mimeType = plain(found.mime)
    const extension = SHOWN.get(mimeType) ?? found.ext.replaceAll(/[^a-z0-9]/g, '').slice(0, 8)
    if (mimeType === claim) return { mimeType, extension }
    return { mimeType, extension, warning: `The server called it ${claim}, but it is ${mimeType}.` }
  }
  const extension = TEXTS.get(claim)
  if (extension !== undefined) return { mimeType: claim, extension }
  if (!SHOWN.has(claim)) return { mimeType: 'application/octet-stream', extension: 'bin' }
  const warning = `The server called it ${claim}, but the bytes are none.`
  return { mimeType: 'application/octet-stream', extension: 'bin', warning }
}

function plain(type: string): string {
  const [bare = ''] = type.toLowerCase().split(';', 1)
  return ALIASES[bare.trim()] ?? bare.trim()
}
