import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { MessageSquare } from 'lucide-react'
import { useRef } from 'react'
import { serversQuery } from '../../api/servers.ts'
import { modelsQuery, openSession, postMessage, sessionQuery, sessionsQuery } from '../../api/sessions.ts'
import { Catalogue } from '../../components/catalogue.tsx'
import { Composer } from '../../components/chat/composer.tsx'
import '../../components/chat/thread.css'
import { ConnectModel } from '../../components/connect-model.tsx'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { ChatsButton } from './chats-button.tsx'

export function NewChatPage() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: models } = useQuery(modelsQuery)
  const { data: servers } = useQuery(serversQuery)
  const opened = useRef<string>(undefined)

  const send = async (content: string): Promise<void> => {
    // A second try after a failed send goes into the chat that is open already.
    opened.current ??= (await openSession()).id
    const id = opened.current
    await postMessage(id, content)
    await client.prefetchQuery(sessionQuery(id))
    await navigate({ to: paths.chat, params: { id } })
    await client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }

  return (
    <Page title="New chat" width="full" actions={<ChatsButton />}>
      <div className="thread">
        <div className="thread-column">
          <EmptyState icon={<MessageSquare />} title="What should be done?">
            Ask in your own words. The agent takes the tools that it needs from your servers, and shows each
            call here.
          </EmptyState>
          {models?.default === null && <ConnectModel models={models.models} />}
          {servers?.servers.length === 0 && <Catalogue title="Give it some tools" />}
        </div>
      </div>
      <div className="composer">
        <Composer ready={models?.default != null} running={false} onSend={send} />
      </div>
    </Page>
  )
}
