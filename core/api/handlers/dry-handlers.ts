import type { HandlersFor } from './handlers.ts';

/** Operations that only say what a run would do. */
export const dryHandlers: HandlersFor<'dags.dry' | 'runs.dry'> = {
  'dags.dry': ({ fileName, ...options }, { dryRun }) => dryRun({ source: { fileName }, ...options }),
  'runs.dry': ({ spec, fileName, ...options }, { dryRun }) =>
    dryRun({ source: { spec, inPlaceOf: fileName }, ...options }),
};
