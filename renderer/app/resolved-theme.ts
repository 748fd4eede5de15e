import { useSyncExternalStore } from 'react';
import type { Dispose } from '../../core/base/clock.ts';

const isDark = '(prefers-color-scheme: dark)';

/** Returns the effective theme: the user's choice, or that of the system. */
export const readResolvedTheme = (): 'light' | 'dark' => {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia(isDark).matches ? 'dark' : 'light';
};

/** Calls back whenever the effective theme changes, by the user's choice or by the system. */
export function followTheme(onChange: () => void): Dispose {
  const chosen = new MutationObserver(onChange);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const system = matchMedia(isDark);
  system.addEventListener('change', onChange);
  return () => {
    chosen.disconnect();
    system.removeEventListener('change', onChange);
  };
}

/** The effective theme, for canvas drawings, which do not update by themselves. */
export const useResolvedTheme = (): 'light' | 'dark' => useSyncExternalStore(followTheme, readResolvedTheme);
