import { AppError } from '../../base/errors.ts';

/** An invalid field. */
export interface FieldProblem {
  readonly field: string;
  readonly code: 'missing' | 'invalid' | 'already_exists' | 'custom';
  readonly message: string;
}

/** Returns a `validation_failed` error of a hook or event that lists every problem. */
export function fieldsError(resource: 'Hook' | 'Event', problems: readonly FieldProblem[]): AppError {
  return new AppError(
    'validation_failed',
    problems.map(({ field, message }) => `${field}: ${message}`).join(' '),
    { details: { errors: problems.map((problem) => ({ resource, ...problem })) } },
  );
}

/** Returns the error for an unknown hook id. */
export const webhookNotFoundError = (id: number): AppError =>
  new AppError('not_found', `Webhook ${id} not found. Run "engine webhooks list" to see all webhooks.`);

/** Returns the error for an operation that needs an enabled hook. */
export const webhookInactiveError = (id: number): AppError =>
  fieldsError('Hook', [
    {
      field: 'active',
      code: 'invalid',
      message: `The webhook is inactive. Activate it first, for example with "engine webhooks update ${id} --on".`,
    },
  ]);
