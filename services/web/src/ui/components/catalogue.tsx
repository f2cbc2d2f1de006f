import type { CatalogueEntry } from '@althing/protocol/model/catalogue-entry'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { addServer, catalogueQuery, serversQuery } from '../api/servers.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'
import { sentence } from '../words/errors.ts'
import { toolCount } from '../words/server-state.ts'
import './catalogue.css'

/** The servers that can be added with one click. Nothing at all when all of them are there. */
export function Catalogue({ title }: { title: string }) {
  const { data } = useQuery(catalogueQuery)
  const entries = data?.entries.filter(({ registered }) => !registered) ?? []
  if (entries.length === 0) return null
  return (
    <section aria-label={title} className="catalogue">
      <h2 className="section-title">{title}</h2>
      <ul className="catalogue-list">
        {entries.map((entry) => (
          <Entry key={entry.name} entry={entry} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ entry }: { entry: CatalogueEntry }) {
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: () => addServer(entry.registration),
    onSuccess: async ({ state, tool_count, error }) => {
      const running = state === 'running'
      toast(
        running ? `${entry.friendly_name} is running` : `${entry.friendly_name} was added`,
        running ? toolCount(tool_count) : (error?.detail ?? `It is ${state.replace('_', ' ')}.`),
      )
      await Promise.all([
        client.invalidateQueries({ queryKey: serversQuery.queryKey }),
        client.invalidateQueries({ queryKey: catalogueQuery.queryKey }),
      ])
    },
  })
  return (
    <li className="card catalogue-entry">
      <div className="catalogue-text">
        <h3>{entry.friendly_name}</h3>
        <p className="muted small">{entry.description}</p>
        {add.error !== null && (
          <p className="field-error" role="alert">
            {sentence(add.error)}
          </p>
        )}
      </div>
      <Button
        busy={add.isPending}
        aria-label={`${add.isPending ? 'Adding' : 'Add'} ${entry.friendly_name}`}
        onClick={() => add.mutate()}
      >
        {add.isPending ? 'Adding' : 'Add'}
      </Button>
    </li>
  )
}
