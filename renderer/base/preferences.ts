import { create } from 'zustand';
import { useSyncExternalStore } from 'react';
import type { Dispose } from '../../core/base/clock.ts';

/** The available choices, each with its default first. */
export const preferenceOptions = {
  /** `system` follows the operating system. */
  theme: ['system', 'light', 'dark'],
  /** Spacing of rows and controls. */
  density: ['comfortable', 'compact'],
  /** 24-hour or 12-hour format. */
  clock: ['24', '12'],
  /** Near times relative, or all times absolute. */
  times: ['relative', 'absolute'],
  /** `system` follows the operating system's reduced motion setting. */
  motion: ['system', 'reduced'],
  /** Whether empty pages show a quote. */
  quotes: ['off', 'on'],
  /** Whether the navigation lists the Gateway page; `auto` once its database is used. */
  gateway: ['auto', 'on', 'off'],
  /** Whether a log initially wraps long lines. */
  logWrap: ['off', 'on'],
  /** Whether and how a log initially has timestamps. */
  logTimes: ['none', 'relative', 'absolute'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

type Choices = typeof preferenceOptions;
type PreferenceValues = { readonly [Name in keyof Choices]: Choices[Name][number] };

/** Display preferences of the user. */
export interface Preferences extends PreferenceValues {
  /** IANA name of the time zone of displayed times, or `local` for that of the browser. */
  readonly timeZone: string;
  /** Changed shortcuts: key sequences by action id. */
  readonly keys: Readonly<Record<string, string>>;
}

const storageKey = 'stepwright.preferences';

/** Stored in this browser or desktop app only (`localStorage`); not visible to the engine or other users. */
export const usePreferences = create<Preferences>(() => readPreferences());

/** Whether the browser supports a time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Reads the stored preferences; invalid values are ignored. */
function readPreferences(): Preferences {
  const stored = parseStored();
  const chosen = Object.entries(preferenceOptions).map(([name, [first, ...others]]) => [
    name,
    ([first, ...others] as readonly unknown[]).includes(stored[name]) ? stored[name] : first,
  ]);
  const { timeZone, keys } = stored;
  return {
    ...(Object.fromEntries(chosen) as PreferenceValues),
    timeZone: typeof timeZone === 'string' && isTimeZone(timeZone) ? timeZone : 'local',
    keys: isTexts(keys) ? keys : {},
  };
}

function isTexts(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => typeof text === 'string')
  );
}

function parseStored(): Readonly<Record<string, unknown>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Stores preferences on this machine and applies them immediately. */
export function setPreferences(changes: Partial<Preferences>): void {
  usePreferences.setState(changes);
  localStorage.setItem(storageKey, JSON.stringify(usePreferences.getState()));
  applyPreferences();
}

/** Sets the attributes that select the variants of the design tokens. */
export function applyPreferences(): void {
  const { theme, density, motion } = usePreferences.getState();
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  dataset.density = density;
  dataset.motion = motion;
}

/** Applies changes made in another window of the same browser. Runs for the lifetime of the page. */
export function followPreferences(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key !== storageKey) return;
    usePreferences.setState(readPreferences());
    applyPreferences();
  });
}

/** Switches from the effective theme to the other one. */
export const toggleTheme = (): void =>
  setPreferences({ theme: readResolvedTheme() === 'dark' ? 'light' : 'dark' });

const isDark = '(prefers-color-scheme: dark)';

/** Returns the effective theme: the user's choice, or that of the system. */
const readResolvedTheme = (): 'light' | 'dark' => {
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
