import { statSync } from 'node:fs';
import type { Clock, Dispose } from '../../base/clock.ts';

/** How often the files are looked at. */
export const renewalIntervalMs = 5000;

/**
 * Tells when files have changed, and have not between two looks since: files that belong together are written one after
 * the other. While one of them cannot be found nothing is told.
 * @returns ends it
 */
export function watchFiles(files: readonly string[], clock: Clock, changed: () => void): Dispose {
  let taken = fingerprint(files);
  let seen = taken;
  return clock.every(renewalIntervalMs, () => {
    const before = seen;
    seen = fingerprint(files);
    if (seen !== before || seen === taken || seen === '') return;
    taken = seen;
    changed();
  });
}

/** Changes when one of the files does; empty while one of them cannot be found. */
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
