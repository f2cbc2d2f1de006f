import type { CallResult } from '@althing/protocol/model/tool'
import { ResultView, resultText } from '../../components/result/result-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Dot, Tag } from '../../ui/tag.tsx'
import { useNow } from '../../ui/time.tsx'
import { duration } from '../../words/time.ts'

export type Outcome =
  | { readonly state: 'running'; readonly since: string }
  | { readonly state: 'done'; readonly result: CallResult; readonly took: number }
  | { readonly state: 'failed'; readonly error: unknown }

export function CallOutcome({ outcome, onCancel }: { outcome: Outcome | undefined; onCancel: () => void }) {
  return (
    <section className="card console-result" aria-label="Result" aria-live="polite">
      {outcome === undefined && (
        <div className="console-body">
          <p className="console-wait">The result of the call comes here.</p>
        </div>
      )}
      {outcome?.state === 'running' && (
        <>
          <div className="row console-head">
            <Dot tone="accent" pulse />
            <strong>Running</strong>
            <span className="muted small">
              <Since at={outcome.since} />
            </span>
            <span className="end">
              <Button look="danger" onClick={onCancel}>
                Cancel
              </Button>
            </span>
          </div>
          <div className="console-body">
            <div className="bar bar-open" />
          </div>
        </>
      )}
      {outcome?.state === 'done' && <Done result={outcome.result} took={outcome.took} />}
      {outcome?.state === 'failed' && (
        <div className="console-body">
          <Failed error={outcome.error} />
        </div>
      )}
    </section>
  )
}

function Since({ at }: { at: string }) {
  const now = useNow(1000)
  return duration(Math.max(0, Math.floor((now.getTime() - new Date(at).getTime()) / 1000) * 1000))
}

function Done({ result, took }: { result: CallResult; took: number }) {
  const bytes = new TextEncoder().encode(resultText(result)).length
  const size = bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`
  return (
    <>
      <div className="row row-wrap console-head">
        <Dot tone={result.is_error ? 'bad' : 'ok'} />
        <strong>{result.is_error ? 'Tool error' : 'Done'}</strong>
        {result.result_type === 'json' && <Tag>json</Tag>}
        <span className="muted small">
          {duration(took)} · {size}
        </span>
      </div>
      <div className="console-body">
        {result.warnings.map((warning) => (
          <p key={warning} className="small state-warn">
            {warning}
          </p>
        ))}
        <ResultView key={result.call_id} shown={result} open />
      </div>
    </>
  )
}
