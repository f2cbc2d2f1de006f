import { type KeyboardEvent, type ReactNode, useId } from 'react'
import './tabs.css'

interface TabsProps<V extends string> {
  readonly label: string
  readonly value: V
  readonly tabs: readonly { readonly value: V; readonly label: string; readonly count?: number | undefined }[]
  readonly onChange: (value: V) => void
  readonly children: ReactNode
}

/** Tabs with the arrow keys of the ARIA pattern; the caller keeps the value, usually in the address. */
export function Tabs<V extends string>({ label, value, tabs, onChange, children }: TabsProps<V>) {
  const id = useId()
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const index = tabs.findIndex((tab) => tab.value === value)
    const next = tabs[(index + step + tabs.length) % tabs.length]
    if (next === undefined) return
    event.preventDefault()
    onChange(next.value)
    document.getElementById(`${id}-${next.value}`)?.focus()
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            id={`${id}-${tab.value}`}
            type="button"
            role="tab"
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
          >
            {tab.label}
            {tab.count !== undefined && <span className="muted">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div className="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  )
}
