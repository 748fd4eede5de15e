import { statSync } from 'node:fs';

/** What tells a state of a file from an earlier one. */
export interface FileMark {
  readonly stamp: string;
  /** Changed so lately that a further change may look the same; what was read now must not be kept. */
  readonly isFresh: boolean;
  /** Neither a folder nor a pipe, which would make its reader wait, for ever perhaps. */
  readonly isFile: boolean;
}

/** Two changes within one tick of a file system's clock look alike. The coarsest common one is FAT's: two seconds. */
export const freshMs = 2000;

/**
 * The mark of what is there now; undefined for what is not there, a link that leads nowhere or to itself included.
 * @param now epoch milliseconds
 */
export function markFile(file: string, now: number): FileMark | undefined {
  try {
    const facts = statSync(file);
    return {
      stamp: `${facts.ino}:${facts.size}:${facts.mtimeMs}`,
      isFresh: now - facts.mtimeMs < freshMs,
      isFile: facts.isFile(),
    };
  } catch {
    return undefined;
  }
}
