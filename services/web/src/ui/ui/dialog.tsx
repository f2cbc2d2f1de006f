import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactElement, type ReactNode, useState } from 'react'
import { sentence } from '../words/errors.ts'
import { Button } from './button.tsx'
import './dialog.css'

interface ConfirmProps {
  /** The button that opens it. */
  readonly trigger: ReactElement
  readonly title: string
  /** What it takes along. */
  readonly children: ReactNode
  readonly action: string
  readonly onConfirm: () => Promise<unknown>
}

/** Asks before something is destroyed; stays open, with the reason, when it fails. */
export function Confirm({ trigger, title, children, action, onConfirm }: ConfirmProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const confirm = async (): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      await onConfirm()
      setOpen(false)
    } catch (error) {
      setFailure(sentence(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <AlertDialog.Root open={open} onOpenChange={setOpen}>
      <AlertDialog.Trigger render={trigger} />
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>
          {failure !== undefined && (
            <p className="field-error" role="alert">
              {failure}
            </p>
          )}
          <div className="dialog-actions">
            <AlertDialog.Close render={<Button look="ghost" />}>Cancel</AlertDialog.Close>
            <Button className="btn-destroy" busy={busy} onClick={confirm}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
