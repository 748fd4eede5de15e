import { create } from 'zustand';
import type { LogCharset } from '../../../core/model/workflow/log-charset.ts';
import { usePreferences } from '../../app/preferences.ts';

/** How times are shown next to lines. */
export type TimestampMode = 'none' | 'relative' | 'absolute';

/** Display options of all logs, until the page is closed. */
interface LogOptions {
  readonly wrap: boolean;
  readonly times: TimestampMode;
  /** Detected by the engine when undefined. */
  readonly charset: LogCharset | undefined;
}

/** Reads the initial options from the settings. */
const readDefaults = (): Pick<LogOptions, 'wrap' | 'times'> => {
  const { logWrap, logTimes } = usePreferences.getState();
  return { wrap: logWrap === 'on', times: logTimes };
};

export const useLogOptions = create<LogOptions>(() => ({ ...readDefaults(), charset: undefined }));
usePreferences.subscribe(({ logWrap, logTimes }, before) => {
  if (logWrap !== before.logWrap || logTimes !== before.logTimes) useLogOptions.setState(readDefaults());
});

export const setLogOptions = (change: Partial<LogOptions>): void => useLogOptions.setState(change);
