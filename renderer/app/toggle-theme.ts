import { setPreferences, usePreferences } from './preferences.ts';

/** Changes to the other theme than the one that is seen. */
export function toggleTheme(): void {
  const { theme } = usePreferences.getState();
  const isDark = theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  setPreferences({ theme: isDark ? 'light' : 'dark' });
}
