import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { List } from 'lucide-react'
import { useEffect, useState } from 'react'
import { sessionsQuery } from '../../api/sessions.ts'
import { SessionLinks } from '../../components/frame/sidebar.tsx'
import { paths } from '../../paths.ts'
import { buttonClass, IconButton } from '../../ui/button.tsx'
import './chats-button.css'

/** On a phone the chats are a sheet; on a wide screen they stand in the sidebar. */
export function ChatsButton() {
  const [open, setOpen] = useState(false)
  const { pathname } = useLocation()
  const { data } = useQuery(sessionsQuery)
  // biome-ignore lint/correctness/useExhaustiveDependencies: going elsewhere closes the sheet
  useEffect(() => setOpen(false), [pathname])
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        render={
          <IconButton label="Chats" className="chats-button">
            <List />
          </IconButton>
        }
      />
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup className="sheet">
          <div className="row">
            <Dialog.Title className="section-title">Recent chats</Dialog.Title>
            <Link to={paths.newChat} className={`${buttonClass()} end`} onClick={() => setOpen(false)}>
              New chat
            </Link>
          </div>
          <SessionLinks sessions={data?.sessions ?? []} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
