import { toAppError } from '../../core/base/errors.ts';

/** A message about one field of a form. */
export interface FieldError {
  /** Field name in the API: `username`, `options.perSecond`. */
  readonly field: string;
  readonly problem: string;
}

/** Labels of fields that an error may name, for fields that the form does not show. */
const labels: Readonly<Record<string, string>> = {
  actor: 'Actor',
  dagRunId: 'Run ID',
  events: 'Events',
  owner: 'Scope name',
  params: 'Parameters',
  permissions: 'Permissions',
  role: 'Role',
  startedBy: 'Started by',
  target: 'Search text',
  text: 'Search text',
  url: 'URL',
  username: 'Username',
};

/** Returns the messages of an error about single fields, in the engine's order; empty if there are none. */
export function readFieldErrors(cause: unknown): readonly FieldError[] {
  const { message, details = {} } = toAppError(cause);
  const { field, errors } = details;
  if (typeof field === 'string') {
    const problem = message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
    return [{ field, problem: capitalize(problem) }];
  }
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((error) => {
    const { field: of, message: problem } = error as Record<string, unknown>;
    return typeof of === 'string' && typeof problem === 'string' ? [{ field: of, problem }] : [];
  });
}

/** Formats an error for a form, replacing the engine's field names with labels. */
export function errorText(error: unknown): string {
  const { message } = toAppError(error);
  const [field = ''] = /^\w+(?=: )/.exec(message) ?? [];
  return `${getLabel(field)}${message.slice(field.length)}`;
}

/** Formats a message about a field, for display away from the field. */
export const fieldErrorText = ({ field, problem }: FieldError): string => `${getLabel(field)}: ${problem}`;

const getLabel = (field: string): string => (Object.hasOwn(labels, field) ? (labels[field] ?? field) : field);

const capitalize = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
