import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { addServer, catalogueQuery, serversQuery } from '../../api/servers.ts'
import { EMPTY_DRAFT, registrationOf } from '../../components/server-draft.ts'
import { ServerForm } from '../../components/server-form/server-form.tsx'
import { paths } from '../../paths.ts'
import { Page } from '../../ui/page.tsx'

export function NewServerPage() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <Page title="Add server" width="read">
      <ServerForm
        initial={EMPTY_DRAFT}
        action="Add server"
        paste
        onSave={async (draft) => {
          const { name } = await addServer(registrationOf(draft))
          client.invalidateQueries({ queryKey: catalogueQuery.queryKey }).catch(console.error)
          await client.invalidateQueries({ queryKey: serversQuery.queryKey })
          await navigate({ to: paths.server, params: { name } })
        }}
      />
    </Page>
  )
}
