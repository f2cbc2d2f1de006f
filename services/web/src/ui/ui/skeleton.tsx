import './skeleton.css'

/** Grey lines in the final shape; they appear only after 200 ms, so a quick answer does not flicker. */
export function Skeleton({ rows = 3, height = 56 }: { rows?: number; height?: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="hidden">Loading</span>
      {Array.from({ length: rows }, (_, row) => `row-${row}`).map((key) => (
        <div key={key} style={{ height }} />
      ))}
    </div>
  )
}
