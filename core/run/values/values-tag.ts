import path from 'node:path';
import type { RunRef } from '../../model/run/run.ts';

/**
 * Returns the prefix of the tags of one run's commands, whichever host has started them; no directory has this path.
 */
export const valuesTagRoot = (home: string, { name, dagRunId }: RunRef): string =>
  path.join(home, '@values', name, dagRunId, path.sep);

/**
 * Returns the tag of the commands in a run's values and conditions, and of their child processes. They belong to no
 * attempt, and the run may have no directory yet. The epoch distinguishes the commands of one owner from those of the
 * next.
 */
export const valuesTag = (home: string, run: RunRef & { readonly epoch: number }): string =>
  valuesTagRoot(home, run) + run.epoch;
