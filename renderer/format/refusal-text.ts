import { toAppError } from '../../core/base/errors.ts';

/** What is wrong with one field of a form. */
export interface FieldFault {
  /** As scripts know it: `username`, `options.perSecond`. */
  readonly field: string;
  readonly problem: string;
}

/** What forms of the window call the fields that a refusal may name, where no field of the form shows it. */
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

/** What a refusal says of single fields, in the order of the engine; empty for one that is about none. */
export function readFaults(thrown: unknown): readonly FieldFault[] {
  const { message, details = {} } = toAppError(thrown);
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

/** A refusal in the words of a form: the engine names a field as scripts know it. */
export function refusalText(thrown: unknown): string {
  const { message } = toAppError(thrown);
  const [field = ''] = /^\w+(?=: )/.exec(message) ?? [];
  return `${labelOf(field)}${message.slice(field.length)}`;
}

/** A fault for a place that is not its field. */
export const faultText = ({ field, problem }: FieldFault): string => `${labelOf(field)}: ${problem}`;

const labelOf = (field: string): string => (Object.hasOwn(labels, field) ? (labels[field] ?? field) : field);

const capitalize = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
