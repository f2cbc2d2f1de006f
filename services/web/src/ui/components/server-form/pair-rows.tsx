import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { type Pair, pair } from '../server-draft.ts'

interface PairRowsProps {
  readonly title: string
  readonly noun: 'variable' | 'header'
  readonly pairs: readonly Pair[]
  readonly onChange: (pairs: Pair[]) => void
}

/** Names with values: environment variables, or headers. Values may be secrets, so they are masked. */
export function PairRows({ title, noun, pairs, onChange }: PairRowsProps) {
  const set = (key: number, change: Partial<Pair>): void =>
    onChange(pairs.map((old) => (old.key === key ? { ...old, ...change } : old)))
  return (
    <fieldset className="pairs">
      <legend>{title}</legend>
      {pairs.map(({ key, name, value }, index) => (
        <div key={key} className="pairs-row">
          <input
            className="input mono"
            aria-label={`Name of ${noun} ${index + 1}`}
            placeholder="Name"
            spellCheck={false}
            value={name}
            onChange={(event) => set(key, { name: event.target.value })}
          />
          <input
            className="input mono"
            type="password"
            autoComplete="off"
            aria-label={`Value of ${noun} ${index + 1}`}
            placeholder="Value"
            value={value}
            onChange={(event) => set(key, { value: event.target.value })}
          />
          <IconButton
            label={`Remove ${noun} ${index + 1}`}
            onClick={() => onChange(pairs.filter((old) => old.key !== key))}
          >
            <X />
          </IconButton>
        </div>
      ))}
      <Button look="ghost" className="pairs-add" onClick={() => onChange([...pairs, pair()])}>
        <Plus aria-hidden="true" />
        Add {noun}
      </Button>
    </fieldset>
  )
}
