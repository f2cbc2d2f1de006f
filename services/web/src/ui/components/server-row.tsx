import type { Server } from '@althing/protocol/model/server'
import { Link } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { Dot, Tag } from '../ui/tag.tsx'
import { useNow } from '../ui/time.tsx'
import { nextTry, serverStateWords, toolCount } from '../words/server-state.ts'
import './server-row.css'

/** One server of the list: what it is, how it is, and why. */
export function ServerRow({ server }: { server: Server }) {
  const { label, tone } = serverStateWords(server)
  return (
    <li className="card server-row">
      <Dot tone={tone} pulse={server.state === 'starting'} />
      <div className="server-row-text">
        <div className="row row-wrap">
          <Link to={paths.server} params={{ name: server.name }} className="server-row-name">
            {server.friendly_name || server.name}
          </Link>
          <span className="mono muted">{server.name}</span>
          <ServerTags server={server} />
        </div>
        {server.description !== '' && <p className="muted small clip">{server.description}</p>}
        {server.error !== undefined && (
          <p className={`small server-row-error server-row-${tone}`}>
            {server.error.detail} <NextTry server={server} />
          </p>
        )}
      </div>
      <div className="server-row-state">
        <span className={`small state-${tone}`}>{label}</span>
        <span className="muted tiny">{toolCount(server.tool_count)}</span>
      </div>
    </li>
  )
}

export function ServerTags({ server }: { server: Server }) {
  return (
    <>
      <Tag>{server.transport}</Tag>
      {server.protocol_version !== undefined && <Tag>{server.protocol_version}</Tag>}
      {server.isolation === 'sandbox' && <Tag tone="ok">sandboxed</Tag>}
      {server.scope === 'personal' && <Tag>personal</Tag>}
      {server.identity === 'per-user' && <Tag>own identity each</Tag>}
    </>
  )
}

export function NextTry({ server }: { server: Server }) {
  const text = nextTry(server, useNow(1000))
  return text === undefined ? null : <span className="muted">{text}</span>
}
