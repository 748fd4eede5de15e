import { AppError } from './errors.ts';
import { latestRunId } from './ids.ts';

/** Creates the error for a run that does not exist. */
export const runNotFoundError = ({
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
 * Creates the error for requests that end or delete a run, where "latest" is not allowed: it may be another run by the
 * time the request arrives.
 */
export const exactRunNotFoundError = (run: { readonly name: string; readonly dagRunId: string }): AppError =>
  run.dagRunId === latestRunId
    ? new AppError(
        'not_found',
        `Use the run id of "${run.name}", because "${latestRunId}" can refer to another run by the time the request arrives.`,
      )
    : runNotFoundError(run);
