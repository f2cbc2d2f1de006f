import type { Session } from '@althing/protocol/model/session'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { ApiError } from '../../api/client.ts'
import {
  modelsQuery,
  postMessage,
  removeSession,
  sessionQuery,
  sessionsQuery,
  stopSession,
  turnFailureQuery,
} from '../../api/sessions.ts'
import { Composer } from '../../components/chat/composer.tsx'
import { GrantsStrip } from '../../components/chat/grants-strip.tsx'
import { Thread } from '../../components/chat/thread.tsx'
import { ConnectModel } from '../../components/connect-model.tsx'
import { paths } from '../../paths.ts'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChatsButton } from './chats-button.tsx'

export function ChatPage() {
  const { id } = useParams({ from: '/frame/chat/$id' })
  const { data: session, error, refetch } = useQuery(sessionQuery(id))
  if (session !== undefined) return <Chat key={id} session={session} />
  return (
    <Page title="Chat" width="read">
      {error === null ? <Skeleton rows={4} /> : <Failed error={error} onRetry={refetch} />}
    </Page>
  )
}

function Chat({ session }: { session: Session }) {
  const { id } = session
  const client = useQueryClient()
  const { data: models } = useQuery(modelsQuery)
  const { data: failure } = useQuery(turnFailureQuery(id))
  const running = session.state !== 'idle'
  const tokens = session.usage.input_tokens + session.usage.output_tokens
  return (
    <Page
      title={session.title || 'New chat'}
      width="full"
      facts={tokens > 0 ? `${tokens.toLocaleString()} tokens` : undefined}
      actions={
        <>
          <ChatsButton />
          <DeleteChat session={session} />
        </>
      }
    >
      <Thread session={session}>
        {typeof failure === 'string' && <TurnFailure session={session} failure={failure} />}
        {models?.default === null && <ConnectModel models={models.models} />}
      </Thread>
      <div className="composer">
        <GrantsStrip session={id} grants={session.grants} />
        <Composer
          ready={models?.default != null}
          running={running}
          onSend={(content) => send(client, id, content)}
          onStop={() => stopSession(id)}
        />
      </div>
    </Page>
  )
}

/** The turn's failure, unless the last message says it already. */
function TurnFailure({ session, failure }: { session: Session; failure: string }) {
  const last = session.messages.at(-1)
  if (last?.status === 'failed') return null
  return <Failed error={new ApiError('model_error', 502, failure)} />
}

/** Sends, and shows the message before the live stream brings it. */
async function send(client: QueryClient, id: string, content: string): Promise<void> {
  const { message_id } = await postMessage(id, content)
  client.setQueryData(sessionQuery(id).queryKey, (session) => {
    if (session === undefined || session.messages.some((message) => message.id === message_id)) return session
    return {
      ...session,
      messages: [
        ...session.messages,
        {
          id: message_id,
          role: 'user' as const,
          content,
          status: session.state === 'idle' ? ('done' as const) : ('queued' as const),
          frame_id: id,
          created_at: new Date().toISOString(),
          tool_calls: [],
        },
      ],
    }
  })
}

function DeleteChat({ session: { id, title } }: { session: Session }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = async (): Promise<void> => {
    await removeSession(id)
    await navigate({ to: paths.newChat })
    client.removeQueries({ queryKey: sessionQuery(id).queryKey })
    await client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
  return (
    <Confirm
      trigger={
        <IconButton label="Delete chat">
          <Trash2 />
        </IconButton>
      }
      title="Delete this chat?"
      action="Delete"
      onConfirm={remove}
    >
      “{title || 'New chat'}” goes with all its messages and results. A turn that runs is stopped. This cannot
      be undone.
    </Confirm>
  )
}
