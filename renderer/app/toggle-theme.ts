import { setPreferences } from './preferences.ts';
import { readResolvedTheme } from './resolved-theme.ts';

/** Switches from the effective theme to the other one. */
export const toggleTheme = (): void =>
  setPreferences({ theme: readResolvedTheme() === 'dark' ? 'light' : 'dark' });
