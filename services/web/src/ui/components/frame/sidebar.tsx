import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleUser, Inbox, MessageSquare, Plus, Server, Users, Zap } from 'lucide-react'
import { meQuery } from '../../api/identity.ts'
import { inboxQuery } from '../../api/inbox.ts'
import { sessionsQuery } from '../../api/sessions.ts'
import { paths } from '../../paths.ts'
import { Dot } from '../../ui/tag.tsx'
import { Mark } from './mark.tsx'

export function Sidebar() {
  const { data: me } = useQuery(meQuery)
  const { data: inbox } = useQuery(inboxQuery)
  const waiting = inbox?.total ?? 0
  return (
    <nav className="sidebar" aria-label="Main">
      <Link to={paths.newChat} className="brand desk" aria-label="Althing, new chat">
        <Mark />
        Althing
      </Link>
      <Link to={paths.newChat} className="nav">
        <MessageSquare />
        Chat
      </Link>
      <Link to={paths.inbox} className="nav">
        <Inbox />
        Inbox
        <span className={waiting > 0 ? 'count' : 'hidden'}>
          {waiting > 99 ? '99+' : waiting}
          <span className="hidden"> waiting</span>
        </span>
      </Link>
      <Link to={paths.servers} className="nav">
        <Server />
        Servers
      </Link>
      <Link to={paths.events} className="nav">
        <Zap />
        Events
      </Link>
      <RecentChats />
      {me?.role === 'admin' && (
        <Link to={paths.users} className="nav desk">
          <Users />
          Administration
        </Link>
      )}
      <Link to={paths.account} className="nav nav-account">
        <CircleUser />
        <span className="clip desk">{me?.name ?? 'Account'}</span>
        <span className="account-word">Account</span>
      </Link>
    </nav>
  )
}

function RecentChats() {
  const { data } = useQuery(sessionsQuery)
  return (
    <section className="recent desk" aria-labelledby="recent-chats">
      <div className="recent-head">
        <h2 id="recent-chats">Recent chats</h2>
        <Link to={paths.newChat} className="recent-new" aria-label="New chat" title="New chat">
          <Plus />
        </Link>
      </div>
      <SessionLinks sessions={data?.sessions ?? []} />
    </section>
  )
}

interface SessionLinksProps {
  readonly sessions: readonly { readonly id: string; readonly title: string; readonly state: string }[]
}

/** The chats as links, the running ones with a dot. */
export function SessionLinks({ sessions }: SessionLinksProps) {
  return (
    <ul className="recent-list">
      {sessions.map((session) => (
        <li key={session.id}>
          <Link to={paths.chat} params={{ id: session.id }} className="nav nav-small">
            <span className="clip">{session.title || 'New chat'}</span>
            {session.state !== 'idle' && (
              <>
                <Dot tone={session.state === 'waiting' ? 'warn' : 'accent'} pulse />
                <span className="hidden">{session.state}</span>
              </>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}
