/** Something about the machine that a person can mend: shown as one sentence, without a stack. */
export class LocalFault extends Error {
  override readonly name = 'LocalFault'
}

/** Tells the person at the terminal what goes on. */
export type Say = (line: string) => void
