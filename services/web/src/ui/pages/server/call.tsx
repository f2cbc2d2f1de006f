import type { JsonObject } from '@althing/protocol/model/json'
import type { CallResult, Tool } from '@althing/protocol/model/tool'
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { runTool } from '../../api/servers.ts'
import { SchemaFields } from '../../components/schema-fields.tsx'
import {
  curlOf,
  defaultsOf,
  draftsOf,
  fieldsOf,
  parseObject,
  readDrafts,
  restOf,
} from '../../components/schema-form.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { CallOutcome, type Outcome } from './call-outcome.tsx'
import { ToolTags } from './tools-tab.tsx'

interface CallProps {
  readonly server: string
  readonly tool: Tool
  readonly tools: readonly Tool[]
  readonly onTool: (tool: string) => void
}

const VIEWS = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const

/** Form and JSON are two views of one value; the result stands beside it. */
export function Call({ server, tool, tools, onTool }: CallProps) {
  const fields = fieldsOf(tool.input_schema)
  const [view, setView] = useState<'form' | 'json'>('form')
  const [drafts, setDrafts] = useState(() => draftsOf(fields, defaultsOf(fields)))
  const [rest, setRest] = useState<JsonObject>({})
  const [json, setJson] = useState('{}')
  const [checked, setChecked] = useState(false)
  const { outcome, run, cancel } = useCall(server, tool.name)

  const read = readDrafts(fields, drafts, rest)
  const parsed = view === 'json' ? parseObject(json) : read.args
  const wrong = parsed === undefined || (view === 'form' && Object.keys(read.errors).length > 0)

  const show = (next: 'form' | 'json'): void => {
    if (next === view) return
    if (next === 'json') setJson(JSON.stringify(read.args, null, 2))
    else {
      if (parsed === undefined) {
        setChecked(true)
        return
      }
      setDrafts(draftsOf(fields, parsed))
      setRest(restOf(fields, parsed))
    }
    setChecked(false)
    setView(next)
  }

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setChecked(true)
    if (!wrong && outcome?.state !== 'running') run(parsed)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
  }

  return (
    <div className="console">
      <form
        className="card console-form"
        onSubmit={submit}
        onKeyDown={onKeyDown}
        noValidate
        aria-label="Call"
      >
        <SelectField
          label="Tool"
          value={tool.name}
          options={tools.map(({ name }) => ({ value: name, label: name }))}
          onChange={onTool}
        />
        <div className="row row-wrap">
          <ToolTags tool={tool} />
          <span className="end">
            <Segmented label="View" value={view} options={VIEWS} onChange={show} />
          </span>
        </div>
        {tool.description !== '' && <p className="muted small">{tool.description.split('\n\n', 1)[0]}</p>}
        {view === 'form' ? (
          <SchemaFields
            fields={fields}
            drafts={drafts}
            errors={checked ? read.errors : {}}
            onChange={setDrafts}
          />
        ) : (
          <TextField
            label="Arguments as JSON"
            mono
            rows={10}
            value={json}
            error={checked && parsed === undefined ? 'This is not a JSON object.' : undefined}
            onChange={setJson}
          />
        )}
        <div className="row">
          <Button look="primary" type="submit" busy={outcome?.state === 'running'}>
            Call
          </Button>
          <CopyButton
            label="Copy as curl"
            text={() => curlOf(window.location.origin, server, tool.name, parsed ?? {})}
          />
          <span className="end tiny muted desk">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
        </div>
      </form>
      <CallOutcome outcome={outcome} onCancel={cancel} />
    </div>
  )
}

/** One call at a time; leaving the page cancels it. */
function useCall(server: string, tool: string) {
  const [outcome, setOutcome] = useState<Outcome>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const run = (args: JsonObject): void => {
    const controller = new AbortController()
    running.current = controller
    const began = performance.now()
    setOutcome({ state: 'running', since: new Date().toISOString() })
    runTool(server, tool, args, controller.signal).then(
      (result: CallResult) => setOutcome({ state: 'done', result, took: performance.now() - began }),
      (error: unknown) => setOutcome({ state: 'failed', error }),
    )
  }
  return { outcome, run, cancel: () => running.current?.abort() }
}
