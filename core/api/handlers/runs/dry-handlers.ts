import { inlineSource, type HandlersFor } from '../handlers.ts';

/** Dry run operations. */
export const dryHandlers: HandlersFor<'dags.dry' | 'runs.dry'> = {
  'dags.dry': ({ fileName, dagName, ...options }, { dryRun }) =>
    dryRun({ source: { fileName }, name: dagName, ...options }),
  'runs.dry': ({ spec, base, fileName, ...options }, { dryRun }) =>
    dryRun({ source: inlineSource(spec, base, fileName), ...options }),
};
