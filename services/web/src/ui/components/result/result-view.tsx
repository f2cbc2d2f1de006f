import type { CallResult } from '@althing/protocol/model/tool'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Media } from './media.tsx'
import './result.css'

const JsonTree = lazy(async () => ({ default: (await import('./json-tree.tsx')).JsonTree }))

/** A result, of a call by hand or of one in a chat. */
export interface ShownResult {
  readonly result_type?: CallResult['result_type'] | undefined
  readonly result?: unknown
  readonly media?: CallResult['media'] | undefined
}

/** Past this many lines a result is folded. */
const FOLD_AT = 12

export function resultText({ result }: ShownResult): string {
  return typeof result === 'string' ? result : (JSON.stringify(result, null, 2) ?? '')
}

interface ResultViewProps {
  readonly shown: ShownResult
  /** Shows all of it at once: a place of its own, not a card in a chat. */
  readonly open?: boolean
}

/** What a tool gave: json as a tree or as it came, text as it came, media inline. */
export function ResultView({ shown, open = false }: ResultViewProps) {
  const [raw, setRaw] = useState(false)
  const [whole, setWhole] = useState(false)
  const { result, media = [] } = shown
  const text = resultText(shown)
  const lines = text.split('\n').length
  const isTree = shown.result_type === 'json' && typeof result === 'object' && result !== null
  const folds = !open && lines > FOLD_AT
  return (
    <div className={folds || open ? 'result' : 'result result-short'}>
      {media.length > 0 && <Media media={media} />}
      {text === '' && media.length === 0 && <p className="muted small">The tool gave no content.</p>}
      {text !== '' && (
        <>
          <div className={folds && !whole ? 'fold' : ''}>
            {isTree && !raw ? (
              <Suspense fallback={<pre>{text}</pre>}>
                <JsonTree value={result} lines={lines} />
              </Suspense>
            ) : (
              <pre>{raw ? (JSON.stringify(result) ?? '') : text}</pre>
            )}
          </div>
          <div className="result-actions">
            {folds && (
              <Button
                look="ghost"
                className="fold-more"
                aria-expanded={whole}
                onClick={() => setWhole(!whole)}
              >
                {whole ? 'Show less' : `Show all ${lines} lines`}
              </Button>
            )}
            {isTree && (
              <Button look="ghost" aria-pressed={raw} onClick={() => setRaw(!raw)}>
                Raw
              </Button>
            )}
            <CopyButton text={() => text} />
          </div>
        </>
      )}
    </div>
  )
}
