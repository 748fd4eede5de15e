import type { Caller, EngineApi } from '../../api/engine-host.ts';
import type { Dispose } from '../../base/clock.ts';
import type { LogRef } from './log-ref.ts';
import type { LogWriter } from './log-writer.ts';
import { LogReader } from './read-log.ts';

/** A log that is shown as it grows. */
export interface LogTail {
  /** Resolves after the last byte has been shown, or at `stop`. */
  readonly ended: Promise<void>;
  /** Shows the current contents; resolves when written. */
  catchUp(): Promise<void>;
  readonly stop: Dispose;
}

/** Shows a log from its beginning until it is complete. */
export function tailLog(api: EngineApi, caller: Caller, address: LogRef, writer: LogWriter): LogTail {
  const reader = new LogReader(api, caller, address);
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let leave: Dispose = () => {};
  let over = false;
  const finish = async (): Promise<void> => {
    if (over) return;
    over = true;
    leave();
    await writer.end();
    resolve();
  };
  let reading = Promise.resolve();
  const readOnce = async (before: Promise<void>, thenFinish: boolean): Promise<void> => {
    await before;
    if (over) return;
    const complete = await reader.readNew((bytes) => writer.write(bytes));
    if (complete || thenFinish) await finish();
  };
  // Reads run one at a time; notifications during a read trigger another.
  const readNew = (thenFinish: boolean): void => {
    reading = readOnce(reading, thenFinish);
    reading.catch(reject);
  };
  leave = api.follow(
    'logs.follow',
    address,
    { item: () => readNew(false), end: () => readNew(true) },
    caller,
  );
  readNew(false);
  const catchUp = (): Promise<void> => {
    readNew(false);
    return reading;
  };
  return { ended, catchUp, stop: () => void finish() };
}
