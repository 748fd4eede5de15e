import path from 'node:path';
import { parseGlob, type Glob } from '../../../base/text/glob.ts';
import type { AttemptRecord, StepRecord } from '../../../model/run/run.ts';
import type { Step } from '../../../model/workflow/step.ts';

/** The attempt that stored a file. */
export interface ArtifactProducer {
  readonly step: string;
  readonly section: 'step' | 'handler';
  readonly attempt: number;
}

/** A step that stores artifacts, with its attempts. */
export interface ArtifactStep {
  readonly globs: readonly Glob[];
  readonly record: Pick<StepRecord, 'node' | 'attempts'>;
}

/** Returns the globs of a step's `outputFiles`; a glob that exceeds the limits matches nothing. */
export const readOutputGlobs = ({ outputFiles = [] }: Pick<Step, 'outputFiles'>): readonly Glob[] =>
  outputFiles.flatMap((pattern) => {
    const glob = parseGlob(path.posix.normalize(pattern));
    return 'problem' in glob ? [] : [glob];
  });

/** Maximum clock difference between a bucket and the run's host, in milliseconds. */
const clockSlackMs = 2000;

/** Milliseconds by which file times may be behind the clock that measures attempts. */
const fileGrainMs = 10;

/**
 * Determines which attempt has stored a file: of the only step whose `outputFiles` match its name, the attempt that
 * was running when it was stored. Returns undefined if this is ambiguous.
 */
export function findProducer(
  keepers: readonly ArtifactStep[],
  { name, at }: { readonly name: string; readonly at: number },
): ArtifactProducer | undefined {
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
  // Of consecutive attempts, the one that started last.
  const { node, record } =
    candidates.findLast(({ record: { startedAt } }) => startedAt <= at + fileGrainMs) ?? first;
  return { step: node.name, section: node.section, attempt: record.attempt };
}

const ranAt = (
  { startedAt, finishedAt = Infinity }: Pick<AttemptRecord, 'startedAt' | 'finishedAt'>,
  at: number,
  slackMs: number,
): boolean => startedAt - slackMs <= at && at <= finishedAt + slackMs;
