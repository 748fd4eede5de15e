import path from 'node:path';
import type { RunRef } from '../../model/run/run.ts';

/** Begins the tags of the commands of one run, whichever host has started them; no folder is there. */
export const valuesTagRoot = (home: string, { name, dagRunId }: RunRef): string =>
  path.join(home, '@values', name, dagRunId, path.sep);

/**
 * The tag of the commands that a run's values and conditions come from, and of all that they start. They belong to no
 * attempt, and the run may have no folder yet. The epoch tells those of one owner from those of the next.
 */
export const valuesTag = (home: string, run: RunRef & { readonly epoch: number }): string =>
  valuesTagRoot(home, run) + run.epoch;
