import { create } from 'zustand';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'stepwright.theme';

/** The theme the user has chosen; `system` follows the operating system. */
export const useTheme = create<{ readonly theme: Theme }>(() => ({ theme: readTheme() }));

function readTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === stored) ?? 'system';
}

/** Applies a theme and remembers it on this machine. */
export function setTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme);
  useTheme.setState({ theme });
  applyTheme(theme);
}

/** Tells the style sheet which side of its tokens to take. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
