const VERSION = 1
const NONCE_BYTES = 12
type Key = Parameters<typeof crypto.subtle.exportKey>[1]
const PURPOSE = new TextEncoder().encode('althing-seal-v1')

/**
 * Seals a text to a public key (X25519, 32 bytes as base64), bound to a purpose; the same layout as the server's own:
 * version, ephemeral public key, nonce, ciphertext with its tag, as base64.
 */
export async function seal(text: string, publicKey: string, boundTo: string): Promise<string> {
  const { subtle } = crypto
  const recipient = fromBase64(publicKey)
  const generated: unknown = await subtle.generateKey({ name: 'X25519' }, false, ['deriveBits'])
  const own = generated as Record<'privateKey' | 'publicKey', Key>
  const theirs = await subtle.importKey('raw', recipient, { name: 'X25519' }, false, [])
  const shared = await subtle.deriveBits({ name: 'X25519', public: theirs }, own.privateKey, 256)
  const ephemeral = new Uint8Array(await subtle.exportKey('raw', own.publicKey))
  const material = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey'])
  const key = await subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: joined(ephemeral, recipient), info: PURPOSE },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt'],
  )
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const additionalData = new TextEncoder().encode(boundTo)
  const sealed = await subtle.encrypt(
    { name: 'AES-GCM', iv: nonce, additionalData },
    key,
    new TextEncoder().encode(text),
  )
  return toBase64(joined(Uint8Array.of(VERSION), ephemeral, nonce, new Uint8Array(sealed)))
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
