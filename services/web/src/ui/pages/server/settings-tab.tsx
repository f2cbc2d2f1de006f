import type { Server } from '@althing/protocol/model/server'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { catalogueQuery, changeServer, removeServer, serverQuery, serversQuery } from '../../api/servers.ts'
import { draftOfServer, patchOf } from '../../components/server-draft.ts'
import { ServerForm } from '../../components/server-form/server-form.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { sentence } from '../../words/errors.ts'
import { serverStateWords, toolCount } from '../../words/server-state.ts'

export function SettingsTab({ server }: { server: Server }) {
  const { name } = server
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: serversQuery.queryKey })
  return (
    <div className="stack page-read">
      <ServerForm
        initial={draftOfServer(server)}
        action="Save"
        fixedName
        onSave={async (draft) => {
          const saved = await changeServer(name, patchOf(server, draft))
          client.setQueryData(serverQuery(name).queryKey, saved)
          toast('Saved', `${saved.friendly_name || name} is ${serverStateWords(saved).label.toLowerCase()}.`)
          await refresh()
        }}
      />
      <Enabling server={server} />
      <Removal server={server} />
    </div>
  )
}

function Enabling({ server: { name, enabled } }: { server: Server }) {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: () => changeServer(name, { enabled: !enabled }),
    onSuccess: (saved) => {
      client.setQueryData(serverQuery(name).queryKey, saved)
      return client.invalidateQueries({ queryKey: serversQuery.queryKey })
    },
    onError: (error) => toast('Nothing was changed', sentence(error)),
  })
  return (
    <section className="card settings-danger" aria-labelledby="enabling">
      <div>
        <h2 id="enabling">{enabled ? 'Enabled' : 'Disabled'}</h2>
        <p className="muted small">
          {enabled
            ? 'Disabling stops it at once and keeps its settings.'
            : 'It is not started until it is enabled.'}
        </p>
      </div>
      <Button busy={change.isPending} onClick={() => change.mutate()}>
        {enabled ? 'Disable' : 'Enable'}
      </Button>
    </section>
  )
}

function Removal({ server }: { server: Server }) {
  const { name } = server
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <section className="card settings-danger" aria-labelledby="removal">
      <div>
        <h2 id="removal">Delete</h2>
        <p className="muted small">Removes the server and everything that it runs.</p>
      </div>
      <Confirm
        trigger={<Button look="danger">Delete server</Button>}
        title={`Delete ${server.friendly_name || name}?`}
        action="Delete"
        onConfirm={async () => {
          await removeServer(name)
          await navigate({ to: paths.servers })
          client.removeQueries({ queryKey: serverQuery(name).queryKey })
          client.invalidateQueries({ queryKey: catalogueQuery.queryKey }).catch(console.error)
          await client.invalidateQueries({ queryKey: serversQuery.queryKey })
        }}
      >
        It takes along its {toolCount(server.tool_count)}, its stored variables and keys, its log, and its
        place in every chat that uses it. Processes that it runs are ended. This cannot be undone.
      </Confirm>
    </section>
  )
}
