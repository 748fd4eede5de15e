import type { TSchema } from 'typebox';

/**
 * What input fields mean whose schema does not say so, because they mean the same wherever they stand: by name, or
 * by operation and name where one differs.
 */
const meanings: Readonly<Record<string, string>> = {
  params: 'Parameters as after `--` on the command line: `KEY=value` and positional words, quotes allowed',
  spec: 'Text of a workflow file',
  'dags.validate.name': 'Name of the file in the messages',
  singleton: 'Refuse while any run of the same name is active or waits',
  priority: 'Those with a higher one start first; 0 when absent',
  runSubstitutions: 'Run the commands in backticks, so that what they print can be shown',
  limit: 'How many at most',
  'dags.nextTimes.limit': 'How many times at most',
  cursor: '`nextCursor` of the page before',
  step: 'Name of the step, or of a handler (`onExit` …) with `section=handler`',
  section: 'Whether `step` is a step or a handler; a step when absent',
  attempt: 'Which attempt, from 1; the newest when absent',
  item: "Which item of a step with `parallel`, from 1; the attempt's own log when absent",
  stream: '`stdout` when absent',
  from: 'First line, from 0; a negative one counts from the end',
  count: 'How many lines at most; 1,000 when absent',
  offset: 'First byte, from 0',
  length: 'How many bytes at most; 65,536 when absent',
  'runs.setStepStatus.status': 'The status that the step is to have',
  'runs.setSubRunStepStatus.status': 'The status that the step is to have',
  'runs.items.status': 'Only items with one of these',
  stepName: 'Begin with this step; without it everything that did not succeed runs again',
  downstream: 'Run again what depends on the step, too',
  suspend: 'Whether the schedule is to rest',
  group: 'Only workflows of this group',
  duration: '`30m`, `1h`, `1d`, or a number of seconds; the last hour when absent',
  points:
    'How many points each series has at most, 1,000 when absent; neighbours are averaged where there are more',
  username: 'Name of the user',
  password: 'The password',
  currentPassword: 'The password as it is now',
  newPassword: 'The password as it is to be',
  everywhere: 'End all sessions of the user',
  role: '`viewer`, `operator`, `manager` or `admin`; each includes the ones before it',
  'tokens.create.name': 'What the token is for, in words',
  expiresInDays: 'Days until it ends; it never does when absent',
  tokenId: 'Id of the token',
  userId: 'Id of the user',
  queue: 'Name of the queue',
};

/** What an input field means, in words. Undefined: nobody has said so, which a test refuses. */
export function findMeaning(operation: string, field: string, schema: TSchema): string | undefined {
  const { description } = schema as { readonly description?: string };
  return meanings[`${operation}.${field}`] ?? description ?? meanings[field];
}
