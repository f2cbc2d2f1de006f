import type { Authorizer } from './auth/authorizer.ts'
import type { AddressPolicy } from './transport/address-guard.ts'

/** Where a server is: a program to start, or an address to reach. */
export type Target =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      /** The whole environment of the child. */
      readonly env: Readonly<Record<string, string>>
      readonly cwd?: string
      /** What its descendants are known by; unique. */
      readonly marker?: string
      /** The command is a wrapper that waits for the real one and ends with it. */
      readonly wrapped?: boolean
    }
  | {
      readonly kind: 'http'
      readonly url: URL
      readonly headers: Readonly<Record<string, string>>
      /** Fall back to the old HTTP+SSE wire when the server refuses streamable HTTP. */
      readonly allowSse: boolean
      readonly policy: AddressPolicy
      /** Gives the tokens that a person consented to; without one a 401 is final. */
      readonly authorizer?: Authorizer
    }

export type Era = 'legacy' | 'modern'
