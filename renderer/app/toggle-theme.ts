import { setPreferences } from './preferences.ts';
import { readSeenTheme } from './seen-theme.ts';

/** Changes to the other theme than the one that is seen. */
export const toggleTheme = (): void =>
  setPreferences({ theme: readSeenTheme() === 'dark' ? 'light' : 'dark' });
