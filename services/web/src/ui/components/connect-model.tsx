import type { Model } from '@althing/protocol/model/session'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { meQuery } from '../api/identity.ts'
import { chooseModel, modelsQuery } from '../api/sessions.ts'
import { Button } from '../ui/button.tsx'
import { Dot } from '../ui/tag.tsx'
import { sentence } from '../words/errors.ts'
import './connect-model.css'

const VARIABLES = [
  ['ALTHING_MODEL_PROVIDER', 'openai-compatible, openai, anthropic or google'],
  ['ALTHING_MODEL_BASE_URL', 'the address, for an openai-compatible provider'],
  ['ALTHING_MODEL_API_KEY', 'the key of the provider'],
  ['ALTHING_MODEL', 'the name of the model'],
] as const

/** Shown while no model is chosen: how to connect one, and the demo that needs none. */
export function ConnectModel({ models }: { models: readonly Model[] }) {
  const client = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const choose = useMutation({
    mutationFn: chooseModel,
    onSuccess: (list) => client.setQueryData(modelsQuery.queryKey, list),
  })
  const mayChoose = me?.role === 'admin'
  return (
    <section className="card connect" aria-labelledby="connect-model">
      <div className="row connect-head">
        <Dot tone="warn" />
        <h2 id="connect-model">No model is connected</h2>
      </div>
      <div className="connect-body">
        <p>
          Set these variables where Althing is started, then start it again. Until then nothing can answer in
          a chat.
        </p>
        <dl>
          {VARIABLES.map(([name, meaning]) => (
            <div key={name}>
              <dt className="mono">{name}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        {mayChoose && models.length > 0 && (
          <div className="row row-wrap">
            {models.map((model) => (
              <Button key={model.id} busy={choose.isPending} onClick={() => choose.mutate(model.id)}>
                Use {model.label}
              </Button>
            ))}
          </div>
        )}
        {!mayChoose && <p className="muted small">An administrator can do this.</p>}
        {choose.error !== null && (
          <p className="field-error" role="alert">
            {sentence(choose.error)}
          </p>
        )}
      </div>
    </section>
  )
}
