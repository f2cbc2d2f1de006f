import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { apiKeysQuery, makeApiKey, revokeApiKey } from '../../api/identity.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Failed } from '../../ui/failed.tsx'
import { TextField } from '../../ui/field.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { sentence } from '../../words/errors.ts'

export function ApiKeys() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(apiKeysQuery)
  const [name, setName] = useState('')
  const refresh = () => client.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
  const make = useMutation({
    mutationFn: makeApiKey,
    onSuccess: () => {
      setName('')
      return refresh()
    },
  })
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (name.trim() !== '' && !make.isPending) make.mutate(name.trim())
  }
  return (
    <section className="card keys" aria-labelledby="keys">
      <div>
        <h2 id="keys">API keys</h2>
        <p className="muted small">
          A key does what you may do. Programs send it as <span className="mono">Authorization: Bearer</span>.
        </p>
      </div>
      <form className="keys-new" onSubmit={submit}>
        <TextField label="Name of the key" maxLength={32} value={name} onChange={setName} />
        <Button type="submit" busy={make.isPending} disabled={name.trim() === ''}>
          Create key
        </Button>
      </form>
      {make.error !== null && (
        <p className="field-error" role="alert">
          {sentence(make.error)}
        </p>
      )}
      {make.data !== undefined && <ShownOnce what="The key is made." secret={make.data.key} />}
      {data === undefined &&
        (error === null ? <Skeleton rows={2} height={36} /> : <Failed error={error} onRetry={refetch} />)}
      {data !== undefined && data.api_keys.length > 0 && (
        <ul className="keys-list">
          {data.api_keys.map((key) => (
            <li key={key.id}>
              <span className="clip">{key.name}</span>
              <span className="muted tiny">
                made <Time at={key.created_at} />
                {key.last_used_at !== undefined && (
                  <>
                    , used <Time at={key.last_used_at} />
                  </>
                )}
              </span>
              <span className="end">
                <Confirm
                  trigger={<Button look="danger">Revoke</Button>}
                  title={`Revoke ${key.name}?`}
                  action="Revoke"
                  onConfirm={async () => {
                    await revokeApiKey(key.id)
                    await refresh()
                  }}
                >
                  Programs that use it are refused from now on. It cannot be brought back.
                </Confirm>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
