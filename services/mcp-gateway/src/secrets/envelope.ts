import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const KEY_ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const VERSION = 1

/**
 * Seals what a row keeps secret. The row's identity is bound to it, so that a sealed value copied into another row
 * does not open. Layout: version, key id, nonce, tag, ciphertext.
 */
export class Envelope {
  readonly #key: Buffer
  readonly #keyId: Buffer

  /** `masterKey`: 32 bytes as base64. Throws when it is anything else. */
  constructor(masterKey: string) {
    this.#key = Buffer.from(masterKey, 'base64')
    if (this.#key.length !== 32) throw new Error('ALTHING_MASTER_KEY is not 32 bytes as base64')
    this.#keyId = createHash('sha256').update(this.#key).digest().subarray(0, KEY_ID_BYTES)
  }

  seal(plain: string, rowIdentity: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce)
    cipher.setAAD(Buffer.from(rowIdentity))
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.from([VERSION]), this.#keyId, nonce, cipher.getAuthTag(), text])
  }

  /** Throws when the value was sealed with another key, for another row, or changed. */
  open(sealed: Buffer, rowIdentity: string): string {
    const keyId = sealed.subarray(1, 1 + KEY_ID_BYTES)
    if (sealed[0] !== VERSION || !keyId.equals(this.#keyId)) throw new Error('sealed with another master key')
    const nonceEnd = 1 + KEY_ID_BYTES + NONCE_BYTES
    const decipher = createDecipheriv(ALGORITHM, this.#key, sealed.subarray(1 + KEY_ID_BYTES, nonceEnd))
    decipher.setAAD(Buffer.from(rowIdentity))
    decipher.setAuthTag(sealed.subarray(nonceEnd, nonceEnd + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(nonceEnd + TAG_BYTES)), decipher.final()]).toString(
      'utf8',
    )
  }
}
