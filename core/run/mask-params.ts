import { AppError } from '../base/errors.ts';
import type { RunRecord } from '../model/run/run.ts';
import type { Parameter } from '../model/workflow/workflow.ts';
import { mask } from '../secrets/mask-scanner.ts';
import { Masker } from '../secrets/masker.ts';
import type { Inheritance } from './values/open-scope.ts';

/** Returns a sub-run's parameters for storage: without the secrets of the run that starts it. */
export function maskParams(
  params: readonly Parameter[],
  inherited: Inheritance | undefined,
): readonly Parameter[] {
  const masker = new Masker(inherited?.masked ?? []);
  return masker.isEmpty ? params : params.map(({ name, value }) => ({ name, value: masker.mask(value) }));
}

/**
 * Rejects a rerun with parameters that contain a secret, which was not stored.
 * @throws `bad_request` naming the run that has it
 */
export function assertNoMaskedParams({ name, dagRunId, params, parent }: RunRecord): void {
  const hidden = params.find(({ value }) => value.includes(mask));
  if (parent === undefined || hidden === undefined) return;
  throw new AppError(
    'bad_request',
    `Parameter ${hidden.name} of run ${dagRunId} of ${name} came from a secret, which is not stored. ` +
      `Retry the parent run instead: ${parent.dagRunId} of ${parent.name}.`,
  );
}
