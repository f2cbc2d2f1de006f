import type { Server } from '@althing/protocol/model/server'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { reconnectServer, serverQuery, toolsQuery } from '../../api/servers.ts'
import { NextTry, ServerTags } from '../../components/server-row.tsx'
import type { ServerTab } from '../../search.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Dot } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { explainCode, sentence } from '../../words/errors.ts'
import { serverStateWords } from '../../words/server-state.ts'
import { ConsoleTab } from './console-tab.tsx'
import { LogTab } from './log-tab.tsx'
import './server-page.css'
import { SettingsTab } from './settings-tab.tsx'
import { SignIn } from './sign-in.tsx'
import { ToolsTab } from './tools-tab.tsx'

export function ServerPage() {
  const { name } = useParams({ from: '/frame/servers/$name' })
  const { data: server, error, refetch } = useQuery(serverQuery(name))
  if (server !== undefined) return <Loaded key={name} server={server} />
  return (
    <Page title={name}>
      {error === null ? <Skeleton rows={3} /> : <Failed error={error} onRetry={refetch} />}
    </Page>
  )
}

function Loaded({ server }: { server: Server }) {
  const { name } = server
  const { tab = 'tools', tool } = useSearch({ from: '/frame/servers/$name' })
  const navigate = useNavigate({ from: '/servers/$name' })
  const client = useQueryClient()
  const { data: list } = useQuery(toolsQuery(name))
  const restart = useMutation({
    mutationFn: () => reconnectServer(name),
    onSuccess: () => client.invalidateQueries({ queryKey: serverQuery(name).queryKey }),
    onError: (error) => toast('The server was not restarted', sentence(error)),
  })
  const open = (next: ServerTab, of?: string): void => {
    navigate({ search: { tab: next, ...(of === undefined ? {} : { tool: of }) }, replace: true }).catch(
      console.error,
    )
  }
  return (
    <Page
      title={server.friendly_name || name}
      facts={<span className="mono">mcp__{name}__*</span>}
      actions={
        <Button busy={restart.isPending} onClick={() => restart.mutate()} disabled={!server.enabled}>
          {restart.isPending ? 'Restarting' : 'Restart'}
        </Button>
      }
    >
      <StateCard server={server} />
      <div>
        <Tabs
          label={`Parts of ${name}`}
          value={tab}
          onChange={(next) => open(next)}
          tabs={[
            { value: 'tools', label: 'Tools', count: list?.tools.length ?? server.tool_count },
            { value: 'console', label: 'Console' },
            { value: 'log', label: 'Log' },
            { value: 'settings', label: 'Settings' },
          ]}
        >
          {tab === 'tools' && <ToolsTab server={name} onTry={(chosen) => open('console', chosen)} />}
          {tab === 'console' && (
            <ConsoleTab server={name} tool={tool} onTool={(chosen) => open('console', chosen)} />
          )}
          {tab === 'log' && <LogTab server={name} />}
          {tab === 'settings' && <SettingsTab key={server.created_at} server={server} />}
        </Tabs>
      </div>
    </Page>
  )
}

function StateCard({ server }: { server: Server }) {
  const { label, tone } = serverStateWords(server)
  return (
    <section className="card card-pad state-card" aria-label="State">
      <div className="row row-wrap">
        <Dot tone={tone} pulse={server.state === 'starting'} />
        <strong>{label}</strong>
        <span className="muted small">
          since <Time at={server.state_since} />
          {server.replica !== undefined && `, served by ${server.replica}`}
        </span>
        <ServerTags server={server} />
        <NextTry server={server} />
        {server.state === 'needs_auth' && <SignIn name={server.name} />}
      </div>
      {server.description !== '' && <p className="small state-description">{server.description}</p>}
      {server.error !== undefined && (
        <p className={`small state-${tone === 'ok' ? 'plain' : tone}`}>
          {server.error.detail} {explainCode(server.error.code).next}
        </p>
      )}
    </section>
  )
}
