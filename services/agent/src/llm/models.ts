import { AppError } from '@althing/protocol/errors'
import type { Model } from '@althing/protocol/model/session'
import { jsonb } from '@althing/runtime/db'
import type { AgentConfig } from '../config.ts'
import type { AgentDb } from '../db/tables.ts'
import type { ModelEndpoint } from './model.ts'

const DEFAULT_KEY = 'default_model'
export const SCRIPTED_ID = 'scripted-demo'

interface Known {
  readonly model: Model
  readonly endpoint: ModelEndpoint
}

/** The models of this instance: the one from its environment, and the scripted demo. */
export class Models {
  readonly #db: AgentDb
  readonly #known: readonly Known[]

  constructor(db: AgentDb, config: AgentConfig, scriptedUrl: string) {
    this.#db = db
    const scripted: Known = {
      model: {
        id: SCRIPTED_ID,
        label: 'scripted demo (no AI)',
        provider: 'openai-compatible',
        scripted: true,
      },
      endpoint: { provider: 'openai-compatible', baseUrl: scriptedUrl, apiKey: 'none', model: SCRIPTED_ID },
    }
    const configured = fromConfig(config)
    this.#known = configured ? [configured, scripted] : [scripted]
  }

  async list(): Promise<{ models: Model[]; default: string | null }> {
    const chosen = await this.#default()
    return { models: this.#known.map(({ model }) => model), default: chosen?.model.id ?? null }
  }

  /** Throws `not_found` for a model that this instance does not have. */
  async choose(id: string): Promise<void> {
    if (!this.#known.some(({ model }) => model.id === id))
      throw new AppError('not_found', `There is no model "${id}".`)
    await this.#db
      .insertInto('settings')
      .values({ key: DEFAULT_KEY, value: jsonb(id) })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: jsonb(id) }))
      .execute()
  }

  /** The default model's endpoint. Throws `no_model` that says how to connect one. */
  async endpoint(): Promise<ModelEndpoint> {
    const chosen = await this.#default()
    if (chosen) return chosen.endpoint
    throw new AppError(
      'no_model',
      'No model is connected. Set ALTHING_MODEL_PROVIDER, ALTHING_MODEL_BASE_URL, ALTHING_MODEL_API_KEY and ALTHING_MODEL and start again, or let an administrator choose the scripted demo.',
    )
  }

  /** What was chosen last, else what the environment names, else none. */
  async #default(): Promise<Known | undefined> {
    const row = await this.#db
      .selectFrom('settings')
      .select('value')
      .where('key', '=', DEFAULT_KEY)
      .executeTakeFirst()
    const chosen = this.#known.find(({ model }) => model.id === row?.value)
    return chosen ?? this.#known.find(({ model }) => !model.scripted)
  }
}

function fromConfig(config: AgentConfig): Known | undefined {
  const { ALTHING_MODEL_PROVIDER: provider, ALTHING_MODEL: model, ALTHING_MODEL_BASE_URL: baseUrl } = config
  if (provider === undefined || model === undefined) return undefined
  return {
    model: { id: model, label: model, provider, scripted: false },
    endpoint: {
      provider,
      model,
      apiKey: config.ALTHING_MODEL_API_KEY?.reveal() ?? '',
      ...(baseUrl === undefined ? {} : { baseUrl }),
    },
  }
}
