import type { Tool } from '@althing/protocol/model/tool'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Wrench } from 'lucide-react'
import { acceptTool, toolsQuery } from '../../api/servers.ts'
import { ResultView } from '../../components/result/result-view.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tag } from '../../ui/tag.tsx'
import { toast } from '../../ui/toast.tsx'
import { sentence } from '../../words/errors.ts'

export function ToolsTab({ server, onTry }: { server: string; onTry: (tool: string) => void }) {
  const { data, error, refetch } = useQuery(toolsQuery(server))
  if (data === undefined)
    return error === null ? <Skeleton rows={5} height={38} /> : <Failed error={error} onRetry={refetch} />
  return (
    <div className="stack">
      {data.problems.length > 0 && (
        <section className="card card-pad problems" aria-label="Left out">
          <h2>Left out</h2>
          <ul className="small">
            {data.problems.map(({ tool, detail }) => (
              <li key={tool}>
                <span className="mono">{tool}</span> {detail}
              </li>
            ))}
          </ul>
        </section>
      )}
      {data.tools.length === 0 && data.problems.length === 0 ? (
        <EmptyState icon={<Wrench />} title="No tools">
          They are listed here once the server runs and offers some.
        </EmptyState>
      ) : (
        <ul className="card tool-list">
          {data.tools.map((tool) => (
            <li key={tool.name}>
              <ToolRow server={server} tool={tool} onTry={() => onTry(tool.name)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** What changed since the tool was accepted, and the way to accept it. */
function Change({ server, tool, diff }: { server: string; tool: Tool; diff: string }) {
  const client = useQueryClient()
  const accept = useMutation({
    mutationFn: () => acceptTool(server, tool.name, diff),
    onError: (error) => toast('The change was not accepted', sentence(error)),
    onSettled: () => client.invalidateQueries({ queryKey: toolsQuery(server).queryKey }),
  })
  return (
    <section aria-label={`Change of ${tool.name}`}>
      <h3>Changed since it was accepted</h3>
      <pre className="mono small tool-diff">{diff}</pre>
      <Button busy={accept.isPending} onClick={() => accept.mutate()}>
        Accept the change
      </Button>
    </section>
  )
}

function ToolRow({ server, tool, onTry }: { server: string; tool: Tool; onTry: () => void }) {
  const [firstLine] = tool.description.split('\n', 1)
  return (
    <details className="tool-row">
      <summary>
        <span className="mono">{tool.name}</span>
        <ToolTags tool={tool} />
        <span className="tool-text clip">{tool.title ?? firstLine}</span>
      </summary>
      <div className="tool-row-body">
        <p className="small tool-description">
          {tool.description || 'The server describes it with no word.'}
        </p>
        {tool.pinned.diff !== undefined && <Change server={server} tool={tool} diff={tool.pinned.diff} />}
        <p className="tiny muted">
          The model knows it as <span className="mono">{tool.alias}</span>
        </p>
        <Schema title="Takes" schema={tool.input_schema} />
        {tool.output_schema !== undefined && <Schema title="Gives" schema={tool.output_schema} />}
        <Button onClick={onTry}>Open in the console</Button>
      </div>
    </details>
  )
}

function Schema({ title, schema }: { title: string; schema: Tool['input_schema'] }) {
  return (
    <div className="tool-schema">
      <h3>{title}</h3>
      <ResultView shown={{ result_type: 'json', result: schema }} />
    </div>
  )
}

/** The server's own hints. They are hints: nothing enforces them. */
export function ToolTags({ tool: { annotations, pinned } }: { tool: Tool }) {
  return (
    <>
      {pinned.state === 'changed' && <Tag tone="warn">held</Tag>}
      {annotations?.readOnlyHint === true && <Tag>read-only</Tag>}
      {annotations?.readOnlyHint === false && annotations.destructiveHint !== true && (
        <Tag tone="warn">changes things</Tag>
      )}
      {annotations?.destructiveHint === true && annotations.readOnlyHint !== true && (
        <Tag tone="bad">destroys</Tag>
      )}
      {annotations?.idempotentHint === true && <Tag>repeatable</Tag>}
    </>
  )
}
