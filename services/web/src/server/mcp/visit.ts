import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Actor } from '@althing/protocol/model/actor'
import type { View } from './view.ts'

/** A request to the endpoint, after its door. */
export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly actor: Actor
  /** Which credential it came with, unreadable. */
  readonly credential: () => string
  readonly view: View
  readonly stillMay: () => Promise<boolean>
}
