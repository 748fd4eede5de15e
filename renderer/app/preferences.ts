import { create } from 'zustand';

/** What can be chosen, each with its default first. */
export const preferenceChoices = {
  /** `system` follows the operating system. */
  theme: ['system', 'light', 'dark'],
  /** How much room rows and controls take. */
  density: ['comfortable', 'compact'],
  /** Hours to 24, or to 12 with am and pm. */
  clock: ['24', '12'],
  /** Near times in words, or all of them as date and time. */
  times: ['relative', 'absolute'],
  /** `system` follows the operating system's wish for less motion. */
  motion: ['system', 'reduced'],
  /** Whether pages with nothing to show have a quote. */
  quotes: ['on', 'off'],
  /** What a log shows at first: long lines wrapped or not. */
  logWrap: ['off', 'on'],
  /** Whether a log shows at first when each line was written, and how. */
  logTimes: ['none', 'relative', 'absolute'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

type Choices = typeof preferenceChoices;
type ChosenValues = { readonly [Name in keyof Choices]: Choices[Name][number] };

/** What the person at this screen has chosen for it. */
export interface Preferences extends ChosenValues {
  /** IANA name of the zone in which times are shown, or `local` for that of the browser's machine. */
  readonly timeZone: string;
  /** Keys that differ from their defaults: the action's id with its key sequence. */
  readonly keys: Readonly<Record<string, string>>;
}

const storageKey = 'stepwright.preferences';

/** Of this browser or desktop app alone (its `localStorage`): neither the engine nor other users see them. */
export const usePreferences = create<Preferences>(() => readPreferences());

/** Whether there is such a time zone here. */
export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Reads what is stored; whatever is not understood counts as not chosen. */
function readPreferences(): Preferences {
  const stored = parseStored();
  const chosen = Object.entries(preferenceChoices).map(([name, [first, ...others]]) => [
    name,
    ([first, ...others] as readonly unknown[]).includes(stored[name]) ? stored[name] : first,
  ]);
  const { timeZone, keys } = stored;
  return {
    ...(Object.fromEntries(chosen) as ChosenValues),
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

/** Remembers choices on this machine and applies them at once. */
export function setPreferences(changes: Partial<Preferences>): void {
  usePreferences.setState(changes);
  localStorage.setItem(storageKey, JSON.stringify(usePreferences.getState()));
  applyPreferences();
}

/** Tells the style sheets which side of their tokens to take. */
export function applyPreferences(): void {
  const { theme, density, motion } = usePreferences.getState();
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  dataset.density = density;
  dataset.motion = motion;
}

/** Takes over what another window of the same browser has chosen. Runs until the page goes. */
export function followPreferences(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key !== storageKey) return;
    usePreferences.setState(readPreferences());
    applyPreferences();
  });
}
