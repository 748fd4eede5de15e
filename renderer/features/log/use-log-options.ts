import { create } from 'zustand';
import type { LogCharset } from '../../../core/model/workflow/log-charset.ts';
import { usePreferences } from '../../app/preferences.ts';

/** How times stand beside lines. */
export type ShownTimes = 'none' | 'relative' | 'absolute';

/** How logs are shown; the same for all of them, until the page is left. */
interface LogOptions {
  readonly wrap: boolean;
  readonly times: ShownTimes;
  /** As the engine takes the encoding to be when undefined. */
  readonly charset: LogCharset | undefined;
}

/** What the settings have every log begin with. */
const readDefaults = (): Pick<LogOptions, 'wrap' | 'times'> => {
  const { logWrap, logTimes } = usePreferences.getState();
  return { wrap: logWrap === 'on', times: logTimes };
};

export const useLogOptions = create<LogOptions>(() => ({ ...readDefaults(), charset: undefined }));
usePreferences.subscribe(({ logWrap, logTimes }, before) => {
  if (logWrap !== before.logWrap || logTimes !== before.logTimes) useLogOptions.setState(readDefaults());
});

export const setLogOptions = (change: Partial<LogOptions>): void => useLogOptions.setState(change);
