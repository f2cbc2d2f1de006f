import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { tryServer } from '../../api/servers.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Dot, Tag } from '../../ui/tag.tsx'
import { explainCode } from '../../words/errors.ts'
import { toolCount } from '../../words/server-state.ts'
import { registrationOf, type ServerDraft } from '../server-draft.ts'

interface ServerTrialProps {
  readonly offered: boolean
  readonly draft: ServerDraft
  readonly complete: boolean
  readonly onIncomplete: () => void
  /** The saving button, which stands first. */
  readonly children: ReactNode
}

/** Connects, lists and disconnects without storing anything, and shows how that went. */
export function ServerTrial({ offered, draft, complete, onIncomplete, children }: ServerTrialProps) {
  const trial = useMutation({ mutationFn: () => tryServer(registrationOf(draft)) })
  return (
    <>
      <div className="row">
        {children}
        {offered && (
          <>
            <Button busy={trial.isPending} onClick={() => (complete ? trial.mutate() : onIncomplete())}>
              {trial.isPending ? 'Testing' : 'Test'}
            </Button>
            <span className="muted tiny desk">A test stores nothing.</span>
          </>
        )}
      </div>
      {trial.error !== null && <Failed error={trial.error} />}
      {trial.data !== undefined && !trial.isPending && (
        <section className="trial" aria-label="Result of the test" aria-live="polite">
          <div className="row row-wrap">
            <Dot tone={trial.data.ok ? 'ok' : 'bad'} />
            <strong>
              {trial.data.ok ? `It works: ${toolCount(trial.data.tools.length)}` : 'It does not work'}
            </strong>
            {trial.data.protocol_version !== undefined && <Tag>{trial.data.protocol_version}</Tag>}
          </div>
          {trial.data.error !== undefined && (
            <p className="small">
              {trial.data.error.detail} {explainCode(trial.data.error.code).next}
            </p>
          )}
          {trial.data.tools.length > 0 && (
            <p className="mono muted">{trial.data.tools.map(({ name }) => name).join(', ')}</p>
          )}
          {trial.data.log.length > 0 && <pre>{trial.data.log.join('\n')}</pre>}
        </section>
      )}
    </>
  )
}
