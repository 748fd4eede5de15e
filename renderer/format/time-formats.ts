import { usePreferences } from '../app/preferences.ts';

/** How a moment is written, in the zone and on the clock that the user has chosen. */
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

/** The zone in which every view shows its times; undefined is that of this machine. */
export function readTimeZone(): string | undefined {
  const { timeZone } = usePreferences.getState();
  return timeZone === 'local' ? undefined : timeZone;
}

let made: { readonly key: string; readonly formats: TimeFormats } | undefined;

/** The formats of the present choice; made once for each choice, because making one takes longer than using it. */
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
  const make = (parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat('en-GB', { ...base, ...parts });
  return {
    dayAndTime: make({ ...date, ...time }),
    full: make({ ...date, year: 'numeric', ...time, second: '2-digit', timeZoneName: 'short' }),
    day: make({ ...date, year: 'numeric' }),
    hourAndMinute: make(time),
    timeOfDay: make({ ...time, second: '2-digit' }),
  };
}
