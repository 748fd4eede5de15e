// A file of its own: the contract of the log for every layer, without its outputs.
import type { JsonObject } from './json.ts';
import { LruCache } from './lru-cache.ts';

/** The engine's own log; hosts decide where it is written (stderr, a file, nowhere in tests). */
export interface Logger {
  info(message: string, fields?: JsonObject): void;
  warn(message: string, fields?: JsonObject): void;
  error(message: string, fields?: JsonObject): void;
}

/** How long a repeated message is suppressed, in milliseconds. */
const quietMs = 60_000;
/** Most distinct messages that are remembered. */
const maxRemembered = 500;

/**
 * Logs the same warning or error at most once a minute, with the number of suppressed ones. An error every second, such
 * as a full disk, must not fill the disk with its log.
 */
export function throttledLogger(logger: Logger, clock: { monotonic(): number }): Logger {
  const recent = new LruCache<string, { at: number; repeated: number }>(maxRemembered);
  const limit =
    (level: 'warn' | 'error') =>
    (message: string, fields?: JsonObject): void => {
      const key = `${level} ${message} ${JSON.stringify(fields ?? {})}`;
      const now = clock.monotonic();
      const last = recent.peek(key);
      if (last !== undefined && now - last.at < quietMs) {
        last.repeated += 1;
        return;
      }
      recent.set(key, { at: now, repeated: 0 });
      const repeated = last?.repeated ?? 0;
      logger[level](message, repeated === 0 ? fields : { ...fields, repeated });
    };
  return { info: (...report) => logger.info(...report), warn: limit('warn'), error: limit('error') };
}
