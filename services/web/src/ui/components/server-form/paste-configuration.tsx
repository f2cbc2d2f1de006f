import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { parseConfiguration, type ServerDraft } from '../server-draft.ts'

const EXAMPLE = '{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "…"] } } }'

/** Fills the form from the configuration that other hosts use. */
export function PasteConfiguration({ onChoose }: { onChoose: (draft: ServerDraft) => void }) {
  const [text, setText] = useState('')
  const [drafts, setDrafts] = useState<readonly ServerDraft[]>([])
  const [problem, setProblem] = useState<string>()

  const read = (): void => {
    try {
      const found = parseConfiguration(text)
      setProblem(undefined)
      setDrafts(found.length > 1 ? found : [])
      const [first] = found
      if (first !== undefined) onChoose(first)
    } catch (error) {
      setDrafts([])
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }

  return (
    <details className="card paste">
      <summary>Paste a configuration</summary>
      <div className="paste-body">
        <TextField
          label="Configuration"
          hint="the usual mcpServers JSON"
          mono
          rows={6}
          placeholder={EXAMPLE}
          value={text}
          error={problem}
          onChange={setText}
        />
        <div className="row row-wrap">
          <Button onClick={read} disabled={text.trim() === ''}>
            Fill the form
          </Button>
          {drafts.length > 0 && <span className="muted small">{drafts.length} servers are in it. Take:</span>}
          {drafts.map((draft) => (
            <Button key={draft.name} look="ghost" onClick={() => onChoose(draft)}>
              {draft.name}
            </Button>
          ))}
        </div>
      </div>
    </details>
  )
}
