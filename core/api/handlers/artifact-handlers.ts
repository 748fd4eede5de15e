import path from 'node:path';
import { toIso } from '../../base/clock.ts';
import type { HandlersFor } from './handlers.ts';
import { requireRun } from './run-handlers.ts';

/** Operations on the files that steps have kept. */
export const artifactHandlers: HandlersFor<'runs.artifacts'> = {
  'runs.artifacts': async (input, parts) => {
    const { run } = requireRun(parts, input);
    if (run.logDir === '') return { artifacts: [] };
    const folder = path.resolve(parts.paths.home, run.logDir);
    const found = await (await parts.files()).listArtifacts(folder);
    return {
      artifacts: found.map(({ name, bytes, at }) => ({ name, bytes, at: toIso(at) })),
      ...(parts.config.objectStore.url === undefined ? { folder: path.join(folder, 'artifacts') } : {}),
    };
  },
};
