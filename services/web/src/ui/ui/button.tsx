import type { ComponentProps } from 'react'
import './button.css'

/** One primary button a card; danger is for what destroys. */
export type Look = 'plain' | 'primary' | 'ghost' | 'danger'

/** The classes of a button, for links that look like one. */
export function buttonClass(look: Look = 'plain'): string {
  return `btn btn-${look}`
}

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: Look
  /** Working on it: stays focusable, but does nothing when pressed. */
  readonly busy?: boolean
}

export function Button({ look = 'plain', busy = false, className, onClick, type, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={`${buttonClass(look)}${className === undefined ? '' : ` ${className}`}`}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}

/** A button with an icon only; `label` is its name. */
export function IconButton({ label, className, ...rest }: ButtonProps & { readonly label: string }) {
  return (
    <Button
      look="ghost"
      className={`btn-icon ${className ?? ''}`}
      aria-label={label}
      title={label}
      {...rest}
    />
  )
}
