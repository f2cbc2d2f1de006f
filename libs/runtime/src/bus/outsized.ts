/** Where answers go that are larger than a message may be: the bytes by a name, fetched by whoever asked. */
export interface Outsized {
  put(name: string, bytes: Uint8Array): Promise<void>
  get(name: string): Promise<Uint8Array | undefined>
}
