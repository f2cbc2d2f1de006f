import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { followLive, useConnected } from '../../api/live.ts'
import { liveCache } from '../../api/live-cache.ts'
import { readAgain } from '../../api/read-again.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../ui/toast.tsx'
import './frame.css'
import { Sidebar } from './sidebar.tsx'

/** The frame around every page behind the sign-in: the sidebar, the live stream, the offline line. */
export function Frame() {
  useLive()
  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <Sidebar />
      <main id="content" tabIndex={-1}>
        <Connection />
        <Outlet />
      </main>
    </div>
  )
}

function useLive(): void {
  const client = useQueryClient()
  const router = useRouter()
  useEffect(() => {
    const onEvent = liveCache(client, (briefing) => {
      if (router.state.location.pathname !== paths.inbox)
        toast(briefing.title, `${briefing.source}: in your inbox`)
    })
    return followLive({
      onEvent,
      onFresh: () => readAgain(client),
    })
  }, [client, router])
}

function Connection() {
  const connected = useConnected()
  return (
    <div role="status">{connected ? null : <p className="offline">Reconnecting… nothing is lost</p>}</div>
  )
}
