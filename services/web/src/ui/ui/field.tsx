import { type ReactNode, useId } from 'react'
import './field.css'

interface FieldIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly required?: boolean | undefined
  readonly error?: string | undefined
  readonly children: (ids: FieldIds) => ReactNode
}

/** A label, its control, and what is to say about it. The control takes the ids. */
export function Field({ label, hint, required = false, error, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const described = [hint === undefined ? '' : hintId, error === undefined ? '' : errorId].join(' ').trim()
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={id}>{label}</label>
        {required && <span className="field-required">required</span>}
        {hint !== undefined && (
          <span className="field-hint" id={hintId}>
            {hint}
          </span>
        )}
      </div>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error !== undefined && (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      )}
    </div>
  )
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number'
  readonly autoComplete?: string
  readonly placeholder?: string | undefined
  readonly mono?: boolean
  readonly rows?: number
  readonly readOnly?: boolean
  readonly minLength?: number
  readonly maxLength?: number
}

/** One line, or several when `rows` is given. */
export function TextField({
  label,
  hint,
  required,
  error,
  value,
  onChange,
  rows,
  mono,
  ...rest
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} required={required} error={error}>
      {(ids) => {
        const own = {
          ...ids,
          ...rest,
          value,
          className: mono ? 'input mono' : 'input',
          'aria-required': required || undefined,
          spellCheck: mono ? false : undefined,
        }
        return rows === undefined ? (
          <input {...own} onChange={(event) => onChange(event.target.value)} />
        ) : (
          <textarea {...own} rows={rows} onChange={(event) => onChange(event.target.value)} />
        )
      }}
    </Field>
  )
}

interface Option<V extends string> {
  readonly value: V
  readonly label: string
}

interface SelectFieldProps<V extends string> extends Omit<FieldProps, 'children'> {
  readonly value: V
  readonly options: readonly Option<V>[]
  readonly onChange: (value: V) => void
}

export function SelectField<V extends string>({ value, options, onChange, ...field }: SelectFieldProps<V>) {
  return (
    <Field {...field}>
      {(ids) => <Select {...ids} value={value} options={options} onChange={onChange} />}
    </Field>
  )
}

interface SelectProps<V extends string> extends Partial<FieldIds> {
  readonly 'aria-label'?: string
  readonly value: V
  readonly options: readonly Option<V>[]
  readonly onChange: (value: V) => void
}

export function Select<V extends string>({ options, value, onChange, ...rest }: SelectProps<V>) {
  return (
    <select
      {...rest}
      className="input"
      value={value}
      onChange={(event) => {
        const chosen = options.find((option) => option.value === event.target.value)
        if (chosen !== undefined) onChange(chosen.value)
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
