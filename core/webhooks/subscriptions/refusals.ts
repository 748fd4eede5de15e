import { AppError } from '../../base/errors.ts';

/** One field that cannot be as it is wanted. */
export interface FieldProblem {
  readonly field: string;
  readonly code: 'missing' | 'invalid' | 'already_exists' | 'custom';
  readonly message: string;
}

/** The refusal of a hook or an event as it is wanted: `validation_failed`, every problem by itself. */
export function refuseFields(resource: 'Hook' | 'Event', problems: readonly FieldProblem[]): AppError {
  return new AppError(
    'validation_failed',
    problems.map(({ field, message }) => `${field}: ${message}`).join(' '),
    { details: { errors: problems.map((problem) => ({ resource, ...problem })) } },
  );
}

/** The refusal of an id that is no hook. */
export const noHook = (id: number): AppError =>
  new AppError('not_found', `Webhook ${id} not found. Run "engine webhooks list" to see all webhooks.`);

/** The refusal of what takes a hook that is switched on. */
export const hookIsOff = (id: number): AppError =>
  refuseFields('Hook', [
    {
      field: 'active',
      code: 'invalid',
      message: `The webhook is inactive. Activate it first, for example with "engine webhooks update ${id} --on".`,
    },
  ]);
