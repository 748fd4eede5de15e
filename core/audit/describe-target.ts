/** Fields that identify the target of an operation and are safe to log. All other fields may contain secrets. */
const named = [
  'name',
  'dagRunId',
  'fileName',
  'queue',
  'username',
  'tokenId',
  'userId',
  'receiverId',
  'workerId',
] as const;
type Named = Readonly<Partial<Record<(typeof named)[number], unknown>>>;

const maxLength = 300;

/**
 * Returns a short description of an operation's target: `etl`, `etl/run-1 · load`, `queue nightly`, `anna`. Uses only
 * names from input and output, never content, parameters or passwords.
 */
export function describeTarget(operation: string, input: unknown, answer: unknown): string {
  const given = namesIn(input);
  const got = namesIn(answer);
  if (operation.startsWith('webhooks.')) return describeWebhook(input, answer);
  if (operation.startsWith('approvals.')) return describeAnswer(input, answer);
  if (operation === 'gateway.request') return describeGatewayRequest(input);
  return [describeThing(operation, given, got), ...describeMore(input)]
    .filter((part) => part !== '')
    .join(' · ')
    .slice(0, maxLength);
}

function describeThing(operation: string, given: Named, got: Named): string {
  const queue = text(given.queue);
  const run = describeRun(given, got);
  if (operation.startsWith('queues.'))
    return [`queue ${queue}`, run].filter((part) => part !== '').join(' · ');
  if (operation.startsWith('tokens.')) return text(given.name ?? got.name ?? given.tokenId);
  if (operation.startsWith('receivers.')) return text(got.name ?? given.name ?? given.receiverId);
  if (operation.startsWith('users.')) return text(got.username ?? given.username ?? given.userId);
  if (operation.startsWith('workers.')) return text(given.workerId ?? given.tokenId);
  if (operation === 'auth.login') return text(given.username);
  if (run !== '') return run;
  return text(given.fileName ?? given.name);
}

/** Returns the webhook and its owner, or the event; URLs are excluded, because they may contain secrets. */
function describeWebhook(input: unknown, answer: unknown): string {
  const given = asRecord(input);
  const got = asRecord(answer);
  const id = given['hookId'] ?? got['id'];
  const webhook = typeof id === 'number' ? `webhook ${id}` : '';
  const event = text(given['event']);
  const message = typeof given['messageId'] === 'number' ? `message ${given['messageId']}` : '';
  return [webhook, text(got['owner'] ?? given['owner']), event, message]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Returns the answered step, or else the question id, with the answer; input values are excluded as personal data. */
function describeAnswer(input: unknown, answer: unknown): string {
  const given = asRecord(input);
  const run = describeRun({}, namesIn(answer));
  const question =
    run === '' ? `question ${text(given['id'])}` : `${run} · ${text(asRecord(answer)['step'])}`;
  return `${question} · ${text(given['decision'])}`.slice(0, maxLength);
}

/** Returns the method and path of a gateway request; filter values are excluded as personal data. */
function describeGatewayRequest(input: unknown): string {
  const { method, path } = asRecord(input);
  return `${text(method)} ${text(path).split('?', 1)[0]}`.slice(0, maxLength);
}

/** Returns the run in the input or output of an operation. */
function describeRun(given: Named, got: Named): string {
  const [name, id] = got.dagRunId === undefined ? [given.name, given.dagRunId] : [got.name, got.dagRunId];
  return typeof name === 'string' && typeof id === 'string' ? `${name}/${id}` : '';
}

/** Returns further details that distinguish changes. */
function describeMore(input: unknown): string[] {
  const fields = asRecord(input);
  return [
    text(fields['step']),
    'newFileName' in fields ? `to ${text(fields['newFileName'])}` : '',
    'role' in fields ? `role ${text(fields['role'])}` : '',
    'status' in fields ? `status ${text(fields['status'])}` : '',
    typeof fields['suspend'] === 'boolean' ? (fields['suspend'] ? 'suspended' : 'resumed') : '',
  ];
}

/** Returns the names in a value; the output of `tokens.create` contains its token in a field. */
function namesIn(value: unknown): Named {
  const fields = asRecord(value);
  const inner = asRecord(fields['token']);
  return Object.fromEntries(named.map((field) => [field, fields[field] ?? inner[field]]));
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
