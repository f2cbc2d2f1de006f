import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { serversQuery } from '../../api/servers.ts'
import { removeGrant, sessionQuery } from '../../api/sessions.ts'
import { Dot } from '../../ui/tag.tsx'
import { toast } from '../../ui/toast.tsx'
import { sentence } from '../../words/errors.ts'
import { serverStateWords, toolCount } from '../../words/server-state.ts'

/** The tool groups that this chat has, and how many more it can take on demand. */
export function GrantsStrip({ session, grants }: { session: string; grants: readonly string[] }) {
  const client = useQueryClient()
  const { data } = useQuery(serversQuery)
  const remove = useMutation({
    mutationFn: (group: string) => removeGrant(session, group),
    onSuccess: (answer) => {
      client.setQueryData(sessionQuery(session).queryKey, (old) => old && { ...old, ...answer })
    },
    onError: (error) => toast('The tools are still in this chat', sentence(error)),
  })
  const servers = data?.servers ?? []
  const others = servers.filter(({ name, state }) => state === 'running' && !grants.includes(name))
  const more = others.reduce((sum, { tool_count }) => sum + tool_count, 0)
  if (grants.length === 0 && more === 0) return null
  return (
    <div className="grants">
      <span className="tiny muted">Tools in this chat</span>
      {grants.map((group) => {
        const server = servers.find(({ name }) => name === group)
        return (
          <span key={group} className="chip">
            <Dot tone={server === undefined ? 'plain' : serverStateWords(server).tone} />
            {group}
            {server !== undefined && <span className="muted">{toolCount(server.tool_count)}</span>}
            <button
              type="button"
              className="chip-remove"
              aria-label={`Remove ${group} from this chat`}
              onClick={() => remove.mutate(group)}
            >
              <X />
            </button>
          </span>
        )
      })}
      {more > 0 && <span className="chip muted">{more} more on demand</span>}
    </div>
  )
}
