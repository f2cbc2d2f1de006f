import { Time } from '../../ui/time.tsx'

/** Until when a card can be answered, behind other words; nothing when it waits for ever. */
export function Until({ deadline }: { deadline: string | undefined }) {
  if (deadline === undefined) return null
  return (
    <>
      {' '}
      · until <Time at={deadline} />
    </>
  )
}
