import { createHash } from 'node:crypto'

/**
 * The instance that should own a connection: rendezvous hashing, so that one that comes or goes moves only its own
 * share. Undefined when nobody lives.
 */
export function ownerFor(connection: string, instances: readonly string[]): string | undefined {
  let best: string | undefined
  let highest = ''
  for (const instance of instances) {
    const weight = createHash('sha1').update(`${connection}\0${instance}`).digest('hex')
    if (weight > highest) {
      highest = weight
      best = instance
    }
  }
  return best
}
