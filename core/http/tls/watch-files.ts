import { statSync } from 'node:fs';
import type { Clock, Dispose } from '../../base/clock.ts';

/** Polling interval of the files. */
export const renewalIntervalMs = 5000;

/**
 * Calls back when files have changed and then stayed unchanged between two checks, because related files are written
 * one after the other. While a file is missing, nothing is reported.
 * @returns a function that stops watching
 */
export function watchFiles(files: readonly string[], clock: Clock, changed: () => void): Dispose {
  let lastFingerprint = fingerprint(files);
  let seen = lastFingerprint;
  return clock.every(renewalIntervalMs, () => {
    const before = seen;
    seen = fingerprint(files);
    if (seen !== before || seen === lastFingerprint || seen === '') return;
    lastFingerprint = seen;
    changed();
  });
}

/** Returns a string that changes with the files; empty while one is missing. */
function fingerprint(files: readonly string[]): string {
  try {
    return files
      .map((file) => statSync(file))
      .map(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`)
      .join(', ');
  } catch {
    return '';
  }
}
