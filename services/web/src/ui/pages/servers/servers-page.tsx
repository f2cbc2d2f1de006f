import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { serversQuery } from '../../api/servers.ts'
import { Catalogue } from '../../components/catalogue.tsx'
import { ServerRow } from '../../components/server-row.tsx'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import './servers-page.css'

export function ServersPage() {
  const { data, error, refetch } = useQuery(serversQuery)
  const servers = data?.servers ?? []
  const running = servers.filter(({ state }) => state === 'running').length
  return (
    <Page
      title="Servers"
      facts={servers.length > 0 ? `${running} of ${servers.length} running` : undefined}
      actions={
        <Link to={paths.newServer} className={buttonClass('primary')}>
          Add server
        </Link>
      }
    >
      {data === undefined &&
        (error === null ? <Skeleton rows={4} height={68} /> : <Failed error={error} onRetry={refetch} />)}
      {data !== undefined && servers.length === 0 && (
        <EmptyState icon={<Server />} title="No servers yet">
          A server brings tools: files, mail, a calendar, a machine. Add one of those below, or your own.
        </EmptyState>
      )}
      {servers.length > 0 && (
        <ul className="server-list">
          {servers.map((server) => (
            <ServerRow key={server.id} server={server} />
          ))}
        </ul>
      )}
      {data !== undefined && <Catalogue title={servers.length === 0 ? 'Ready to add' : 'More to add'} />}
    </Page>
  )
}
