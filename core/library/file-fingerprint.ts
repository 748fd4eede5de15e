import { statSync } from 'node:fs';

/** Identifies the state of a file, to detect changes. */
export interface FileFingerprint {
  readonly stamp: string;
  /** Changed so recently that a further change may have the same mark; the content must not be cached. */
  readonly isFresh: boolean;
  /** Neither a folder nor a pipe; reading a pipe could block forever. */
  readonly isFile: boolean;
}

/**
 * Two changes within one tick of a file system's clock are indistinguishable. The coarsest common clock is that of
 * FAT: two seconds.
 */
export const timestampGranularityMs = 2000;

/**
 * Returns the current fingerprint of a file; undefined if it does not exist, including a dangling or circular link.
 * @param now epoch milliseconds
 */
export function fingerprintFile(file: string, now: number): FileFingerprint | undefined {
  try {
    const stats = statSync(file);
    return {
      stamp: `${stats.ino}:${stats.size}:${stats.mtimeMs}`,
      isFresh: now - stats.mtimeMs < timestampGranularityMs,
      isFile: stats.isFile(),
    };
  } catch {
    return undefined;
  }
}
