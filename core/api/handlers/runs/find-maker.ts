import path from 'node:path';
import { parseGlob, type Glob } from '../../../base/text/glob.ts';
import type { AttemptRecord, StepRecord } from '../../../model/run/run.ts';
import type { Step } from '../../../model/workflow/step.ts';

/** Who has kept a file. */
export interface Maker {
  readonly step: string;
  readonly section: 'step' | 'handler';
  readonly attempt: number;
}

/** A step that keeps files, with what it has done in a run. */
export interface Keeper {
  readonly globs: readonly Glob[];
  readonly record: Pick<StepRecord, 'node' | 'attempts'>;
}

/** The globs of a step's `outputFiles`; one that is over the limits fits no file. */
export const readOutputGlobs = ({ outputFiles = [] }: Pick<Step, 'outputFiles'>): readonly Glob[] =>
  outputFiles.flatMap((pattern) => {
    const glob = parseGlob(path.posix.normalize(pattern));
    return 'problem' in glob ? [] : [glob];
  });

/** How far the clock of a bucket may be from that of the run's host, milliseconds. */
const clockSlackMs = 2000;

/** How far the times of a file system may be behind the clock that attempts are timed by, milliseconds. */
const fileGrainMs = 10;

/**
 * Which attempt has kept a file: that of the one step whose `outputFiles` fit its name, among several the one that ran
 * when it was kept. Undefined when that says nothing for certain.
 */
export function findMaker(
  keepers: readonly Keeper[],
  { name, at }: { readonly name: string; readonly at: number },
): Maker | undefined {
  const fitting = keepers.filter(({ globs }) => globs.some((glob) => glob.fits(name)));
  const attempts = fitting.flatMap(({ record: { node, attempts: all } }) =>
    all.map((record) => ({ node, record })),
  );
  const during = [0, clockSlackMs]
    .map((slackMs) => attempts.filter(({ record }) => ranAt(record, at, slackMs)))
    .find((some) => some.length > 0);
  const candidates = during ?? (fitting.length === 1 ? attempts : []);
  const [first] = candidates;
  if (first === undefined || candidates.some(({ node }) => node !== first.node)) return undefined;
  // Of attempts that followed each other at once, the one that had begun last.
  const { node, record } =
    candidates.findLast(({ record: { startedAt } }) => startedAt <= at + fileGrainMs) ?? first;
  return { step: node.name, section: node.section, attempt: record.attempt };
}

const ranAt = (
  { startedAt, finishedAt = Infinity }: Pick<AttemptRecord, 'startedAt' | 'finishedAt'>,
  at: number,
  slackMs: number,
): boolean => startedAt - slackMs <= at && at <= finishedAt + slackMs;
