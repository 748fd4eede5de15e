import { AppError } from './errors.ts';
import { latestRunId } from './ids.ts';

/** Refuses what is about a run that there is not. */
export const missingRun = ({
  name,
  dagRunId,
}: {
  readonly name: string;
  readonly dagRunId: string;
}): AppError =>
  new AppError(
    'not_found',
    dagRunId === latestRunId ? `"${name}" has no runs yet.` : `Run "${dagRunId}" of "${name}" not found.`,
  );

/**
 * The same where a run is ended or removed, which takes no "latest": that may be another run by the time the request
 * arrives.
 */
export const missingOwnRun = (run: { readonly name: string; readonly dagRunId: string }): AppError =>
  run.dagRunId === latestRunId
    ? new AppError(
        'not_found',
        `Use the run id of "${run.name}", because "${latestRunId}" can refer to another run by the time the request arrives.`,
      )
    : missingRun(run);
