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
