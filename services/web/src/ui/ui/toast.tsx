import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import './toast.css'

const manager = Toast.createToastManager()

/** For what is not visible where one looks. Announced politely. */
export function toast(title: string, description?: string): void {
  manager.add({ title, ...(description === undefined ? {} : { description }) })
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} timeout={6000} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((item) => (
    <Toast.Root key={item.id} toast={item} className="toast">
      <Toast.Content className="toast-content">
        <Toast.Title render={<p />} className="toast-title" />
        <Toast.Description className="toast-text" />
      </Toast.Content>
      {/* The library hides the button from screen readers until it is pointed at, though it can be focused. */}
      <Toast.Close className="btn btn-ghost btn-icon" aria-label="Close" aria-hidden={false}>
        <X />
      </Toast.Close>
    </Toast.Root>
  ))
}
