import { useSyncExternalStore } from 'react'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'althing.theme'
const listeners = new Set<() => void>()

export function isTheme(value: unknown): value is Theme {
  return THEMES.some((theme) => theme === value)
}

function readTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return isTheme(stored) ? stored : 'system'
}

/** Puts the stored choice on the document; without one the system decides. */
export function applyTheme(): void {
  const theme = readTheme()
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  applyTheme()
  for (const listener of listeners) listener()
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, readTheme)
}
