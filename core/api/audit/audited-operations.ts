import { pluralize } from '../../base/text.ts';
import type { OperationName } from '../../contract/operations.ts';

/**
 * Audited operations. A list of names, because loading the operations table takes longer than a short run; a test
 * keeps the two in sync.
 */
export const auditedOperations: ReadonlySet<OperationName> = new Set<OperationName>([
  'dags.start',
  'dags.create',
  'dags.updateSpec',
  'dags.rename',
  'dags.duplicate',
  'dags.move',
  'dags.updateFields',
  'dags.delete',
  'dags.restore',
  'dags.stopAll',
  'dags.suspend',
  'schedules.pause',
  'schedules.resume',
  'services.startScheduler',
  'dags.enqueue',
  'runs.start',
  'runs.stop',
  'runs.delete',
  'runs.deleteAll',
  'runs.enqueue',
  'runs.dequeue',
  'approvals.answer',
  'runs.retry',
  'runs.reschedule',
  'runs.restart',
  'runs.setNote',
  'runs.setStepStatus',
  'runs.setSubRunStepStatus',
  'queues.dequeue',
  'queues.pause',
  'queues.drain',
  'queues.resume',
  'queues.clear',
  'queues.move',
  'queues.setLimit',
  'auth.login',
  'auth.logout',
  'auth.changePassword',
  'users.create',
  'users.update',
  'users.delete',
  'users.resetPassword',
  'tokens.create',
  'tokens.delete',
  'webhooks.create',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.rotateSecret',
  'webhooks.ping',
  'webhooks.test',
  'webhooks.redeliver',
  'webhooks.replay',
  'webhooks.retryMessage',
  'webhooks.emit',
  'channels.create',
  'channels.update',
  'channels.delete',
  'channels.test',
  'rules.create',
  'rules.update',
  'rules.delete',
  'notifications.resend',
  'receivers.create',
  'receivers.update',
  'receivers.delete',
  'receivers.rotate',
  'receivers.sendSample',
  'receivers.replay',
  'pings.create',
  'pings.update',
  'pings.delete',
  'gateway.request',
  'gateway.insertRow',
  'gateway.updateRow',
  'gateway.deleteRows',
  'gateway.sql',
  'gateway.finishImport',
  'workers.drain',
  'workers.resume',
  'workers.remove',
  'workers.createToken',
  'workers.deleteToken',
  'config.set',
  'config.setMail',
  'config.testMail',
  'config.setBase',
  'secrets.set',
  'secrets.delete',
]);

/** Fields that identify the target of an operation and are safe to log. All other fields may contain secrets. */
const nameFields = [
  'name',
  'dagRunId',
  'fileName',
  'queue',
  'username',
  'tokenId',
  'userId',
  'receiverId',
  'channelId',
  'ruleId',
  'messageId',
  'workerId',
  'key',
] as const;
type Names = Readonly<Partial<Record<(typeof nameFields)[number], unknown>>>;

const maxLength = 300;

/**
 * Returns a short description of an operation's target: `etl`, `etl/run-1 · load`, `queue nightly`, `anna`. Uses only
 * names from input and output, never content, parameters or passwords.
 */
export function formatTarget(operation: string, input: unknown, output: unknown): string {
  const requested = readNames(input);
  const returned = readNames(output);
  if (operation.startsWith('webhooks.')) return formatWebhook(input, output);
  if (operation.startsWith('approvals.')) return formatApproval(input, output);
  if (/^(channels|rules|notifications)\./.test(operation))
    return text(
      returned.name ?? requested.name ?? requested.channelId ?? requested.ruleId ?? requested.messageId,
    );
  if (operation === 'gateway.request') return formatGatewayRequest(input);
  if (operation.startsWith('gateway.')) return describeGatewayChange(input, output);
  return [formatResource(operation, requested, returned), ...formatChanges(input)]
    .filter((part) => part !== '')
    .join(' · ')
    .slice(0, maxLength);
}

function formatResource(operation: string, requested: Names, returned: Names): string {
  const queue = text(requested.queue);
  const run = formatRun(requested, returned);
  if (operation.startsWith('queues.'))
    return [`queue ${queue}`, run].filter((part) => part !== '').join(' · ');
  if (operation.startsWith('tokens.')) return text(requested.name ?? returned.name ?? requested.tokenId);
  if (operation.startsWith('receivers.'))
    return text(returned.name ?? requested.name ?? requested.receiverId);
  if (operation.startsWith('users.'))
    return text(returned.username ?? requested.username ?? requested.userId);
  if (operation.startsWith('workers.')) return text(requested.workerId ?? requested.tokenId);
  if (operation === 'config.set') return text(requested.key);
  if (operation.startsWith('config.'))
    return operation === 'config.setBase' ? 'base configuration' : 'mail server';
  if (operation === 'auth.login') return text(requested.username);
  if (run !== '') return run;
  return text(requested.fileName ?? requested.name);
}

/** Returns the webhook and its owner, or the event; URLs are excluded, because they may contain secrets. */
function formatWebhook(input: unknown, output: unknown): string {
  const requested = asRecord(input);
  const returned = asRecord(output);
  const id = requested['hookId'] ?? returned['id'];
  const webhook = typeof id === 'number' ? `webhook ${id}` : '';
  const event = text(requested['event']);
  const message = typeof requested['messageId'] === 'number' ? `message ${requested['messageId']}` : '';
  return [webhook, text(returned['owner'] ?? requested['owner']), event, message]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Returns the answered step, or else the question id, with the answer; input values are excluded as personal data. */
function formatApproval(input: unknown, output: unknown): string {
  const requested = asRecord(input);
  const run = formatRun({}, readNames(output));
  const question =
    run === '' ? `question ${text(requested['id'])}` : `${run} · ${text(asRecord(output)['step'])}`;
  return `${question} · ${text(requested['decision'])}`.slice(0, maxLength);
}

/** Returns the method and path of a gateway request; filter values are excluded as personal data. */
function formatGatewayRequest(input: unknown): string {
  const { method, path } = asRecord(input);
  return `${text(method)} ${text(path).split('?', 1)[0]}`.slice(0, maxLength);
}

/** Returns the table and the number of rows; values and SQL are excluded as personal data. */
function describeGatewayChange(input: unknown, output: unknown): string {
  const { schema, table, isReadOnly } = asRecord(input);
  const { deleted, rows } = asRecord(output);
  const count = deleted ?? rows;
  return [
    table === undefined
      ? isReadOnly === false
        ? 'SQL'
        : 'SQL, read-only'
      : `${text(schema)}.${text(table)}`,
    typeof count === 'number' ? pluralize(count, 'row') : '',
  ]
    .filter((part) => part !== '')
    .join(' · ')
    .slice(0, maxLength);
}

/** Returns the run in the input or output of an operation. */
function formatRun(requested: Names, returned: Names): string {
  const [name, id] =
    returned.dagRunId === undefined
      ? [requested.name, requested.dagRunId]
      : [returned.name, returned.dagRunId];
  return typeof name === 'string' && typeof id === 'string' ? `${name}/${id}` : '';
}

/** Returns further details that distinguish changes. */
function formatChanges(input: unknown): string[] {
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
function readNames(value: unknown): Names {
  const fields = asRecord(value);
  const inner = asRecord(fields['token']);
  return Object.fromEntries(nameFields.map((field) => [field, fields[field] ?? inner[field]]));
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
