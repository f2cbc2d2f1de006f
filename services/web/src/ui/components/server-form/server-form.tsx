import { type SubmitEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { missingIn, type ServerDraft } from '../server-draft.ts'
import { PairRows } from './pair-rows.tsx'
import { PasteConfiguration } from './paste-configuration.tsx'
import './server-form.css'
import { ServerTrial } from './server-trial.tsx'

const TRANSPORTS = [
  { value: 'stdio', label: 'stdio: a program started here' },
  { value: 'http', label: 'http: an address' },
  { value: 'sse', label: 'sse: an address, with the old wire as a fallback' },
] as const

interface ServerFormProps {
  readonly initial: ServerDraft
  /** What the saving button says. */
  readonly action: string
  /** Offers to paste a configuration; for new servers. */
  readonly paste?: boolean
  /** The name stays: it is part of addresses and tool names. */
  readonly fixedName?: boolean
  readonly onSave: (draft: ServerDraft) => Promise<unknown>
}

export function ServerForm({ initial, action, paste, fixedName, onSave }: ServerFormProps) {
  const [draft, setDraft] = useState(initial)
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const missing = missingIn(draft)
  const shown = checked ? missing : {}
  const complete = Object.keys(missing).length === 0
  const set = (change: Partial<ServerDraft>): void => setDraft({ ...draft, ...change })

  const save = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    setChecked(true)
    if (!complete || busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await onSave(draft)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      {paste && <PasteConfiguration onChoose={setDraft} />}
      <form className="card card-pad server-form" onSubmit={save} noValidate>
        <div className="pair-of-fields">
          <TextField
            label="Name"
            hint="a-z, 0-9 and -; part of its tools' names"
            required
            mono
            maxLength={32}
            readOnly={fixedName === true}
            value={draft.name}
            error={shown.name}
            onChange={(name) => set({ name })}
          />
          <TextField
            label="Title"
            hint="as people read it"
            maxLength={80}
            value={draft.friendly_name}
            onChange={(friendly_name) => set({ friendly_name })}
          />
        </div>
        <TextField
          label="Description"
          hint="the agent chooses by it"
          maxLength={500}
          value={draft.description}
          onChange={(description) => set({ description })}
        />
        <SelectField
          label="Transport"
          value={draft.transport}
          options={TRANSPORTS}
          onChange={(transport) => set({ transport })}
        />
        {draft.transport === 'stdio' ? (
          <>
            <TextField
              label="Command"
              required
              mono
              placeholder="npx"
              value={draft.command}
              error={shown.command}
              onChange={(command) => set({ command })}
            />
            <TextField
              label="Arguments"
              hint="one a line"
              mono
              rows={3}
              value={draft.args}
              onChange={(args) => set({ args })}
            />
            <PairRows
              noun="variable"
              title="Environment"
              pairs={draft.pairs}
              onChange={(pairs) => set({ pairs })}
            />
          </>
        ) : (
          <>
            <TextField
              label="Address"
              required
              mono
              type="url"
              placeholder="https://example.org/mcp"
              value={draft.url}
              error={shown.url}
              onChange={(url) => set({ url })}
            />
            <TextField
              label="Key"
              hint={fixedName ? 'leave empty to keep the present one' : 'sent as Authorization: Bearer'}
              type="password"
              autoComplete="off"
              value={draft.api_key}
              onChange={(api_key) => set({ api_key })}
            />
            <PairRows
              noun="header"
              title="Headers"
              pairs={draft.pairs}
              onChange={(pairs) => set({ pairs })}
            />
          </>
        )}
        {failure !== undefined && <Failed error={failure} />}
        <ServerTrial
          // A test needs the values themselves, and stored ones are never shown.
          offered={!fixedName}
          draft={draft}
          complete={complete}
          onIncomplete={() => setChecked(true)}
        >
          <Button look="primary" type="submit" busy={busy}>
            {busy ? 'Connecting' : action}
          </Button>
        </ServerTrial>
      </form>
    </>
  )
}
