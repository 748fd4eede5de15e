import { usePreferences } from '../app/preferences.ts';

/** Formats of a moment, in the chosen time zone and time format. */
export interface TimeFormats {
  /** `18 Nov, 04:00` */
  readonly dayAndTime: Intl.DateTimeFormat;
  /** `18 Nov 2026, 04:00:05 CET` */
  readonly full: Intl.DateTimeFormat;
  /** `18 Nov 2026` */
  readonly day: Intl.DateTimeFormat;
  /** `04:00` */
  readonly hourAndMinute: Intl.DateTimeFormat;
  /** `04:00:05` */
  readonly timeOfDay: Intl.DateTimeFormat;
}

/** Returns the displayed time zone; undefined for that of this machine. */
export function readTimeZone(): string | undefined {
  const { timeZone } = usePreferences.getState();
  return timeZone === 'local' ? undefined : timeZone;
}

let made: { readonly key: string; readonly formats: TimeFormats } | undefined;

/** Returns the formats for the current preferences; cached, because creating one is slower than using it. */
export function readTimeFormats(): TimeFormats {
  const { timeZone, clock } = usePreferences.getState();
  const key = `${timeZone} ${clock}`;
  if (made?.key !== key) made = { key, formats: makeFormats(readTimeZone(), clock === '12') };
  return made.formats;
}

function makeFormats(timeZone: string | undefined, isTwelve: boolean): TimeFormats {
  const base = { timeZone, hourCycle: isTwelve ? 'h12' : 'h23' } as const;
  const date = { day: 'numeric', month: 'short' } as const;
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  const make = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat('en-GB', { ...base, ...options });
  return {
    dayAndTime: make({ ...date, ...time }),
    full: make({ ...date, year: 'numeric', ...time, second: '2-digit', timeZoneName: 'short' }),
    day: make({ ...date, year: 'numeric' }),
    hourAndMinute: make(time),
    timeOfDay: make({ ...time, second: '2-digit' }),
  };
}
