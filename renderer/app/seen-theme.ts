import { useSyncExternalStore } from 'react';
import type { Dispose } from '../../core/base/clock.ts';

const isDark = '(prefers-color-scheme: dark)';

/** The theme that is seen: the one the person has chosen, or that of the system. */
export const readSeenTheme = (): 'light' | 'dark' => {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia(isDark).matches ? 'dark' : 'light';
};

/** Calls back whenever the theme changes: by the person's choice, or with the system. */
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

/** For what is drawn on a canvas, whose colours do not change by themselves. */
export const useSeenTheme = (): 'light' | 'dark' => useSyncExternalStore(followTheme, readSeenTheme);
