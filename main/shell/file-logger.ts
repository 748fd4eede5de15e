import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { toIso, type Clock } from '../../core/base/clock.ts';
import type { JsonObject } from '../../core/base/json.ts';
import type { Logger } from '../../core/base/logger.ts';

/** Returns a logger that writes one JSON line per message, because a desktop app has no terminal. */
export function fileLogger(file: string, clock: Clock): Logger {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const write =
    (level: string) =>
    (message: string, fields: JsonObject = {}) => {
      const line = JSON.stringify({ at: toIso(clock.now()), level, message, ...fields });
      try {
        appendFileSync(file, `${line}\n`, { mode: 0o600 });
      } catch {
        // A full disk must not end the app; the user sees the engine's own error.
      }
    };
  return { info: write('info'), warn: write('warn'), error: write('error') };
}
