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
    dagRunId === latestRunId
      ? `There is no run of "${name}" yet`
      : `There is no run "${dagRunId}" of "${name}"`,
  );

/**
 * The same where a run is ended or removed, which takes no "latest": that may be another run by the time the request
 * arrives.
 */
export const missingOwnRun = (run: { readonly name: string; readonly dagRunId: string }): AppError =>
  run.dagRunId === latestRunId
    ? new AppError(
        'not_found',
        `Name the run of "${run.name}" by its own id: "${latestRunId}" may be another one by the time this arrives`,
      )
    : missingRun(run);
