import type { TSchema } from 'typebox';

/** Descriptions of input fields without one in their schema: by name, or by operation and name if they differ. */
const meanings: Readonly<Record<string, string>> = {
  params: 'Parameters as on the command line after `--`: `KEY=value` and positional values, quotes allowed',
  spec: 'Source of a workflow file',
  'dags.validate.name': 'File name for error messages',
  singleton: 'Fail if a run of the same name is active or queued',
  priority: 'Runs with a higher priority start first. Default: 0.',
  runSubstitutions: 'Run commands in backticks to resolve their output',
  limit: 'Maximum number of entries',
  'dags.nextTimes.limit': 'Maximum number of times',
  cursor: '`nextCursor` of the previous page',
  step: 'Name of the step, or of a handler (such as `onExit`) with `section=handler`',
  section: 'Whether `step` is a step or a handler. Default: step.',
  attempt: 'Attempt number, from 1. Default: the latest.',
  item: 'Item number of a step with `parallel`, from 1. Default: the log of the attempt.',
  stream: 'Default: `stdout`',
  from: 'First line, from 0. Negative values count from the end.',
  count: 'Maximum number of lines. Default: 1,000.',
  offset: 'First byte, from 0',
  length: 'Maximum number of bytes. Default: 65,536.',
  'runs.setStepStatus.status': 'New status of the step',
  'runs.setSubRunStepStatus.status': 'New status of the step',
  'runs.items.status': 'Filter by status',
  stepName: 'Step to start from. Default: all steps that did not succeed.',
  downstream: 'Also run the steps that depend on this step',
  suspend: 'Whether to suspend the schedule',
  group: 'Filter by group',
  duration: '`30m`, `1h`, `1d`, or a number of seconds. Default: `1h`.',
  points: 'Maximum number of points per series. Neighboring points are averaged. Default: 1,000.',
  username: 'Username',
  password: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  everywhere: 'End all sessions of the user',
  role: '`viewer`, `operator`, `manager` or `admin`. Each role includes the previous roles.',
  'tokens.create.name': 'Purpose of the token',
  expiresInDays: 'Days until the token expires. Default: never.',
  tokenId: 'Token id',
  userId: 'User id',
  queue: 'Queue name',
};

/** Returns the description of an input field. Undefined if there is none, which a test rejects. */
export function findInputFieldDescription(
  operation: string,
  field: string,
  schema: TSchema,
): string | undefined {
  const { description } = schema as { readonly description?: string };
  return meanings[`${operation}.${field}`] ?? description ?? meanings[field];
}
