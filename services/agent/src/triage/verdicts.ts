import { AppError } from '@althing/protocol/errors'
import { BriefingDraft, EventVerdict, type TriageAnswer } from '@althing/protocol/model/briefing'
import * as z from 'zod'
import type { BuiltIn } from '../tools/built-in.ts'

/** What a triage turn found so far. Nothing of it has an effect before the turn's answer is settled by its owner. */
export class Findings {
  readonly #ids: ReadonlySet<string>
  readonly #briefings: BriefingDraft[] = []
  readonly #verdicts = new Map<string, EventVerdict>()

  constructor(ids: readonly string[]) {
    this.#ids = new Set(ids)
  }

  get missing(): string[] {
    return [...this.#ids].filter((id) => !this.#verdicts.has(id))
  }

  /** The answer; events that were never judged say so. */
  answer(): TriageAnswer {
    const missing = this.missing.map((event_id) => ({
      event_id,
      verdict: 'missing' as const,
      reason: 'The agent gave no verdict, also when asked again.',
    }))
    return { briefings: this.#briefings, verdicts: [...this.#verdicts.values(), ...missing] }
  }

  notify(): BuiltIn {
    return {
      name: 'notify',
      description: 'Writes a briefing for the person. One briefing may tell of several events.',
      schema: schemaOf(BriefingDraft),
      run: async (args) => {
        this.#briefings.push(read(BriefingDraft, args))
        return { noted: true }
      },
    }
  }

  settle(): BuiltIn {
    const Input = z.object({ verdicts: z.array(EventVerdict) })
    return {
      name: 'settle',
      description: 'Gives the verdict of each event: notify or ignore, with a short reason.',
      schema: schemaOf(Input),
      run: async (args) => {
        const { verdicts } = read(Input, args)
        for (const verdict of verdicts)
          if (this.#ids.has(verdict.event_id)) this.#verdicts.set(verdict.event_id, verdict)
        const { missing } = this
        return missing.length === 0 ? { settled: true } : { settled: false, missing }
      },
    }
  }
}

function schemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    reused: 'inline',
    metadata: z.registry(),
  })
  return json
}

function read<T extends z.ZodType>(schema: T, args: unknown): z.output<T> {
  const parsed = schema.safeParse(args)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new AppError('invalid_request', `${issue?.path.join('.')}: ${issue?.message}`)
}
