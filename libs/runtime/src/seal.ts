import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/**
 * A sealed answer: only the process whose public key it was sealed to can open it, and only for the purpose it was
 * bound to. X25519 with a fresh key each, HKDF-SHA256, AES-256-GCM: a browser can do the same.
 * Layout: version, ephemeral public key (32), nonce (12), ciphertext, tag (16); as base64.
 */
const VERSION = 1
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const ALGORITHM = 'aes-256-gcm'
/** The DER header before the 32 bytes of an X25519 public key. */
const SPKI = Buffer.from('302a300506032b656e032100', 'hex')

/** A key of one process, made anew at every start and never stored. */
export class SealKey {
  readonly id = randomBytes(8).toString('hex')
  readonly publicKey: string
  readonly #private: KeyObject
  readonly #public: Buffer

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('x25519')
    this.#private = privateKey
    this.#public = rawOf(publicKey)
    this.publicKey = this.#public.toString('base64')
  }

  /** Throws when it was sealed to another key, bound to something else, or changed. */
  open(sealed: string, boundTo: string): string {
    const bytes = Buffer.from(sealed, 'base64')
    const shortest = 1 + KEY_BYTES + NONCE_BYTES + TAG_BYTES
    if (bytes[0] !== VERSION || bytes.length < shortest) throw new Error('not a sealed value')
    const ephemeral = bytes.subarray(1, 1 + KEY_BYTES)
    const nonce = bytes.subarray(1 + KEY_BYTES, 1 + KEY_BYTES + NONCE_BYTES)
    const text = bytes.subarray(1 + KEY_BYTES + NONCE_BYTES, -TAG_BYTES)
    const shared = diffieHellman({ privateKey: this.#private, publicKey: keyOf(ephemeral) })
    const decipher = createDecipheriv(ALGORITHM, derive(shared, ephemeral, this.#public), nonce)
    decipher.setAAD(Buffer.from(boundTo))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  }
}

/** Seals a text to a public key (32 bytes as base64), bound to a purpose. */
export function seal(text: string, publicKey: string, boundTo: string): string {
  const recipient = Buffer.from(publicKey, 'base64')
  const own = generateKeyPairSync('x25519')
  const ephemeral = rawOf(own.publicKey)
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey: keyOf(recipient) })
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, derive(shared, ephemeral, recipient), nonce)
  cipher.setAAD(Buffer.from(boundTo))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), ephemeral, nonce, sealed, cipher.getAuthTag()]).toString('base64')
}

function derive(shared: Buffer, ephemeral: Buffer, recipient: Buffer): Buffer {
  return Buffer.from(
    hkdfSync('sha256', shared, Buffer.concat([ephemeral, recipient]), 'althing-seal-v1', KEY_BYTES),
  )
}

function rawOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' }).subarray(SPKI.length)
}

function keyOf(raw: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' })
}
