import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { toIso } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { RunDetail, RunRef, AttemptRecord, StepRecord } from '../../model/run.ts';
import { parseGlob, type Glob } from '../../base/glob.ts';
import type { Step } from '../../model/step.ts';
import type { EngineContext } from '../engine-context.ts';
import type { HandlersFor } from './handlers.ts';
import { requireRun } from './run-handlers.ts';

/** Default size of a part in bytes. */
const defaultPart = 65_536;

/** Operations on artifacts. */
export const artifactHandlers: HandlersFor<'runs.artifacts' | 'runs.artifactBytes'> = {
  'runs.artifacts': async (input, context) => {
    const detail = await requireRun(context, input);
    const folder = getFolder(context, detail);
    if (folder === undefined) return { artifacts: [] };
    const found = await (await context.files()).listArtifacts(folder);
    const keepers = await listArtifactSteps(context, detail);
    return {
      artifacts: found.map(({ name, bytes, at }) => ({
        ...{ name, bytes, at: toIso(at) },
        ...findProducer(keepers, { name, at }),
      })),
      ...(context.config.objectStore.url === undefined ? { folder: path.join(folder, 'artifacts') } : {}),
    };
  },
  'runs.artifactBytes': async ({ artifact, offset = 0, length = defaultPart, ...ref }, context) => {
    const detail = await requireRun(context, ref);
    const folder = getFolder(context, detail);
    const part = { offset, length };
    const found =
      folder === undefined ? undefined : await (await context.files()).getArtifact(folder, artifact, part);
    if (found === undefined) throw noArtifactError(detail.run, artifact);
    const data = await buffer(found.content);
    return {
      ...{ size: found.bytes, at: toIso(found.at), mark: found.mark },
      ...{ offset: Math.min(offset, found.bytes), data: data.toString('base64') },
    };
  },
};

const noArtifactError = ({ name, dagRunId }: RunRef, artifact: string): AppError =>
  new AppError(
    'not_found',
    `Run ${dagRunId} of ${name} has no artifact ${JSON.stringify(artifact)}. Steps save artifacts with "outputFiles".`,
  );

/** Returns undefined for a run that has not started. */
const getFolder = ({ paths }: EngineContext, { run }: RunDetail): string | undefined =>
  run.logDir === '' ? undefined : path.resolve(paths.home, run.logDir);

/** Lists the steps of a run that store artifacts. */
async function listArtifactSteps(
  { storedWorkflows }: EngineContext,
  { run, spec, steps: records }: RunDetail,
): Promise<ArtifactStep[]> {
  const { steps, handlers } = await storedWorkflows.find(run, spec);
  const all = [
    ...steps.map((step) => ({ section: 'step', step }) as const),
    ...Object.values(handlers).map((step) => ({ section: 'handler', step }) as const),
  ];
  return all.flatMap(({ section, step }) => {
    const record = records.find(({ node }) => node.section === section && node.name === step.name);
    return record === undefined || step.outputFiles === undefined
      ? []
      : [{ globs: readOutputGlobs(step), record }];
  });
}

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
