import type { JsonObject } from './json.ts';

/** Where the engine reports on itself; hosts decide where it goes (stderr, a file, nowhere in tests). */
export interface Logger {
  info(message: string, fields?: JsonObject): void;
  warn(message: string, fields?: JsonObject): void;
  error(message: string, fields?: JsonObject): void;
}

/** How long a message that was logged is not logged again, milliseconds. */
const quietMs = 60_000;
/** Different messages that are remembered. */
const mostRemembered = 500;

/**
 * Logs the same warning or error at most once a minute, with how often it came meanwhile. What fails every second, such
 * as writing to a full disk, must not fill the disk with its log.
 */
export function calmLogger(logger: Logger, clock: { monotonic(): number }): Logger {
  const known = new Map<string, { at: number; repeated: number }>();
  const limit =
    (level: 'warn' | 'error') =>
    (message: string, fields?: JsonObject): void => {
      const key = `${level} ${message} ${JSON.stringify(fields ?? {})}`;
      const now = clock.monotonic();
      const last = known.get(key);
      if (last !== undefined && now - last.at < quietMs) {
        last.repeated += 1;
        return;
      }
      known.delete(key);
      known.set(key, { at: now, repeated: 0 });
      if (known.size > mostRemembered) known.delete(known.keys().next().value!);
      const repeated = last?.repeated ?? 0;
      logger[level](message, repeated === 0 ? fields : { ...fields, repeated });
    };
  return { info: (...report) => logger.info(...report), warn: limit('warn'), error: limit('error') };
}
