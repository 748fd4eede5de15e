import { setPreferences } from './preferences.ts';
import { readSeenTheme } from './seen-theme.ts';

/** Switches from the effective theme to the other one. */
export const toggleTheme = (): void =>
  setPreferences({ theme: readSeenTheme() === 'dark' ? 'light' : 'dark' });
