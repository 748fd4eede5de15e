/** Fields that name what an operation is about, whoever reads the trail. Everything else may hold a secret. */
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

const longest = 300;

/**
 * What an operation was about, in a few words: `etl`, `etl/run-1 · load`, `queue nightly`, `anna`. Only names of things
 * are taken from input and answer, never texts, parameters or passwords.
 */
export function describeTarget(operation: string, input: unknown, answer: unknown): string {
  const given = namesIn(input);
  const got = namesIn(answer);
  if (operation.startsWith('webhooks.')) return describeHook(input, answer);
  if (operation.startsWith('approvals.')) return describeAnswer(input, answer);
  if (operation === 'gateway.request') return describeGatewayRequest(input);
  return [describeThing(operation, given, got), ...describeMore(input)]
    .filter((part) => part !== '')
    .join(' · ')
    .slice(0, longest);
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

/** The webhook that an operation is about and whose it is, or the event; an address may hold a secret. */
function describeHook(input: unknown, answer: unknown): string {
  const given = asRecord(input);
  const got = asRecord(answer);
  const id = given['hookId'] ?? got['id'];
  const hook = typeof id === 'number' ? `webhook ${id}` : '';
  const event = text(given['event']);
  const message = typeof given['messageId'] === 'number' ? `message ${given['messageId']}` : '';
  return [hook, text(got['owner'] ?? given['owner']), event, message]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The step whose question was answered, or the question where there is no such, and the answer; its texts are somebody's data. */
function describeAnswer(input: unknown, answer: unknown): string {
  const given = asRecord(input);
  const run = describeRun({}, namesIn(answer));
  const question =
    run === '' ? `question ${text(given['id'])}` : `${run} · ${text(asRecord(answer)['step'])}`;
  return `${question} · ${text(given['decision'])}`.slice(0, longest);
}

/** What was asked of the database gateway; the values of filters are somebody's data. */
function describeGatewayRequest(input: unknown): string {
  const { method, path } = asRecord(input);
  return `${text(method)} ${text(path).split('?', 1)[0]}`.slice(0, longest);
}

/** The run that an operation names or that has come of it. */
function describeRun(given: Named, got: Named): string {
  const [name, id] = got.dagRunId === undefined ? [given.name, given.dagRunId] : [got.name, got.dagRunId];
  return typeof name === 'string' && typeof id === 'string' ? `${name}/${id}` : '';
}

/** What else tells one change from another. */
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

/** The answer of `tokens.create` has what it has made inside. */
function namesIn(value: unknown): Named {
  const fields = asRecord(value);
  const inner = asRecord(fields['token']);
  return Object.fromEntries(named.map((field) => [field, fields[field] ?? inner[field]]));
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
