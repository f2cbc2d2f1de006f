/** The assembly: two lines meeting at a point above an arc. */
export function Mark() {
  return (
    <svg
      className="mark"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M4 19L12 5l8 14" />
      <path d="M2.5 15.5c5-3.2 14-3.2 19 0" opacity=".55" />
      <circle cx="12" cy="5" r="1.6" fill="currentColor" stroke="none" />
    </svg>
  )
}
