import type { Tool } from '@althing/protocol/model/tool'
import { useQuery } from '@tanstack/react-query'
import { Wrench } from 'lucide-react'
import { toolsQuery } from '../../api/servers.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Call } from './call.tsx'

interface ConsoleTabProps {
  readonly server: string
  readonly tool: string | undefined
  readonly onTool: (tool: string) => void
}

/** Calls any tool by hand. */
export function ConsoleTab({ server, tool, onTool }: ConsoleTabProps) {
  const { data, error, refetch } = useQuery(toolsQuery(server))
  if (data === undefined)
    return error === null ? <Skeleton rows={1} height={320} /> : <Failed error={error} onRetry={refetch} />
  const chosen: Tool | undefined = data.tools.find(({ name }) => name === tool) ?? data.tools[0]
  if (chosen === undefined)
    return (
      <EmptyState icon={<Wrench />} title="Nothing to call">
        Tools can be called here once the server runs and offers some.
      </EmptyState>
    )
  return <Call key={chosen.name} server={server} tool={chosen} tools={data.tools} onTool={onTool} />
}
