import { AppError, fieldError } from '../../base/errors.ts';

/** Actions of the old API on a workflow. */
const actions = ['start', 'stop', 'retry', 'suspend'] as const;

const fields = ['action', 'value', 'requestId', 'params', 'step'] as const;

/** An action of the old API. */
export interface Action {
  readonly action: (typeof actions)[number];
  /** `false` resumes a schedule. */
  readonly value?: string;
  /** Run id. */
  readonly requestId?: string;
  readonly params?: string;
  readonly step?: string;
}

/** Parses the body of an action; empty strings count as absent. Throws `bad_request` with the field name. */
export function readAction(body: unknown): Action {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppError('bad_request', 'The request body must be a JSON object with an action.');
  const options: Partial<Record<(typeof fields)[number], string>> = {};
  for (const [field, value] of Object.entries(body)) {
    const known = fields.find((name) => name === field);
    if (known === undefined) throw fieldError(field, `unknown field. Known fields: ${fields.join(', ')}.`);
    if (typeof value !== 'string' && typeof value !== 'boolean') throw fieldError(field, 'must be a string');
    if (value !== '') options[known] = String(value);
  }
  const action = actions.find((name) => name === options.action);
  if (action === undefined) throw fieldError('action', `must be one of ${actions.join(', ')}`);
  return { ...options, action };
}
