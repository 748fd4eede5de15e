import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { toIso } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import type { RunDetail, RunRef } from '../../../model/run/run.ts';
import type { EngineContext } from '../../engine-context.ts';
import { findProducer, readOutputGlobs, type ArtifactStep } from './find-producer.ts';
import type { HandlersFor } from '../handlers.ts';
import { requireRun } from './run-handlers.ts';

/** Default size of a part in bytes. */
const defaultPart = 65_536;

/** Operations on artifacts. */
export const artifactHandlers: HandlersFor<'runs.artifacts' | 'runs.artifactBytes'> = {
  'runs.artifacts': async (input, context) => {
    const detail = requireRun(context, input);
    const folder = folderOf(context, detail);
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
    const detail = requireRun(context, ref);
    const folder = folderOf(context, detail);
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
const folderOf = ({ paths }: EngineContext, { run }: RunDetail): string | undefined =>
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
