import type { ReactNode } from 'react'
import { Field, Select, TextField } from '../ui/field.tsx'
import type { Drafts, SchemaField } from './schema-form.ts'

interface SchemaFieldsProps {
  readonly fields: readonly SchemaField[]
  readonly drafts: Drafts
  readonly errors: Readonly<Record<string, string>>
  readonly onChange: (drafts: Drafts) => void
}

/** The controls of a tool's arguments. An empty one is left out of the call. */
export function SchemaFields({ fields, drafts, errors, onChange }: SchemaFieldsProps) {
  if (fields.length === 0) return <p className="muted small">It takes no arguments.</p>
  return fields.map((field) => (
    <SchemaControl
      key={field.name}
      field={field}
      draft={drafts[field.name] ?? ''}
      error={errors[field.name]}
      onChange={(draft) => onChange({ ...drafts, [field.name]: draft })}
    />
  ))
}

interface SchemaControlProps {
  readonly field: SchemaField
  readonly draft: string
  readonly error: string | undefined
  readonly onChange: (draft: string) => void
}

function SchemaControl({ field, draft, error, onChange }: SchemaControlProps) {
  const { label, kind, required, choices } = field
  const head = { label, required, error, hint: hintOf(field) }
  if (kind === 'boolean' || kind === 'choice') {
    const values =
      kind === 'boolean'
        ? [
            { value: 'true', label: 'yes' },
            { value: 'false', label: 'no' },
          ]
        : choices.map(({ label: name }, index) => ({ value: String(index), label: name }))
    return (
      <Field {...head}>
        {(ids) => (
          <Select
            {...ids}
            value={draft}
            options={[{ value: '', label: required ? 'choose' : 'left out' }, ...values]}
            onChange={onChange}
          />
        )}
      </Field>
    )
  }
  if (kind === 'choices') return <ManyChoices field={field} draft={draft} onChange={onChange} error={error} />
  if (kind === 'json') return <TextField {...head} mono rows={3} value={draft} onChange={onChange} />
  const type = kind === 'secret' ? 'password' : 'text'
  return draft.includes('\n') ? (
    <TextField {...head} rows={4} value={draft} onChange={onChange} />
  ) : (
    <TextField {...head} type={type} autoComplete="off" value={draft} onChange={onChange} />
  )
}

/** Any number of a list: a box each. */
function ManyChoices({ field, draft, error, onChange }: SchemaControlProps) {
  const chosen = new Set(draft === '' ? [] : (JSON.parse(draft) as number[]))
  const toggle = (index: number): void => {
    const next = new Set(chosen)
    if (!next.delete(index)) next.add(index)
    onChange(JSON.stringify([...next].sort((a, b) => a - b)))
  }
  return (
    <fieldset className="field">
      <legend>{field.label}</legend>
      {field.choices.map(({ label }, index) => (
        <label key={label} className="row">
          <input type="checkbox" checked={chosen.has(index)} onChange={() => toggle(index)} />
          {label}
        </label>
      ))}
      {error !== undefined && <p className="field-error">{error}</p>}
    </fieldset>
  )
}

function hintOf({ description, range, kind }: SchemaField): ReactNode {
  const parts = [range, kind === 'json' ? 'JSON' : '', description].filter((part) => part !== '')
  return parts.length === 0 ? undefined : parts.join(' · ')
}
