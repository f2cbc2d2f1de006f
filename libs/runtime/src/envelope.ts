import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { AppError } from '@althing/protocol/errors'
import type { SealingConfig } from './config.ts'

const ALGORITHM = 'aes-256-gcm'
const KEY_ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Version 1 bound the id alone. */
const ID_ONLY = 1
const VERSION = 2

/** The row that a sealed value belongs to. */
export interface RowIdentity {
  readonly table: string
  readonly id: string
  readonly owner: string
}

/**
 * Seals what a row keeps secret. The row's identity is bound to it, so that a sealed value copied into another row
 * does not open. Layout: version, key id, nonce, tag, ciphertext.
 */
export class Envelope {
  readonly #keys = new Map<string, Buffer>()
  readonly #current: { readonly id: Buffer; readonly key: Buffer }

  /** Keys are 32 bytes as base64. New values are sealed with `current`; `old` ones still open theirs. */
  constructor(current: string, old: readonly string[] = []) {
    this.#current = readKey(current, 'ALTHING_MASTER_KEY')
    for (const text of old) this.#add(readKey(text, 'ALTHING_OLD_MASTER_KEYS'))
    this.#add(this.#current)
  }

  /** With the keys that the service was told. */
  static of(config: SealingConfig): Envelope {
    return new Envelope(
      config.ALTHING_MASTER_KEY.reveal(),
      config.ALTHING_OLD_MASTER_KEYS.map((key) => key.reveal()),
    )
  }

  seal(plain: string, row: RowIdentity): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.#current.key, nonce)
    cipher.setAAD(boundTo(row, VERSION))
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.from([VERSION]), this.#current.id, nonce, cipher.getAuthTag(), text])
  }

  /** Throws `secret_unreadable` when no key opens it, it was sealed for another row, or changed. */
  open(sealed: Buffer, row: RowIdentity): string {
    const version = sealed[0]
    const keyId = keyIdOf(sealed)
    const key = this.#keys.get(keyId)
    if (key === undefined) {
      throw new AppError('secret_unreadable', `It is sealed with another master key (key id ${keyId}).`)
    }
    try {
      if (version !== VERSION && version !== ID_ONLY) throw new Error(`unknown version ${version}`)
      const nonceEnd = 1 + KEY_ID_BYTES + NONCE_BYTES
      const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(1 + KEY_ID_BYTES, nonceEnd), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(boundTo(row, version))
      decipher.setAuthTag(sealed.subarray(nonceEnd, nonceEnd + TAG_BYTES))
      const text = sealed.subarray(nonceEnd + TAG_BYTES)
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    } catch (cause) {
      throw new AppError('secret_unreadable', 'The sealed value was changed, or belongs to another row.', {
        cause,
      })
    }
  }

  /** Whether it is sealed with the current key in the current form. */
  isCurrent(sealed: Buffer): boolean {
    return sealed[0] === VERSION && keyIdOf(sealed) === this.#current.id.toString('hex')
  }

  #add({ id, key }: { readonly id: Buffer; readonly key: Buffer }): void {
    this.#keys.set(id.toString('hex'), key)
  }
}

function readKey(text: string, variable: string): { id: Buffer; key: Buffer } {
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32) throw new Error(`${variable} is not 32 bytes as base64`)
  return { key, id: createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES) }
}

function keyIdOf(sealed: Buffer): string {
  return sealed.subarray(1, 1 + KEY_ID_BYTES).toString('hex')
}

function boundTo({ table, id, owner }: RowIdentity, version: number): Buffer {
  return Buffer.from(version === ID_ONLY ? id : JSON.stringify([table, id, owner]))
}
