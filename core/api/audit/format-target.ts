import { pluralize } from '../../base/text.ts';
import type { AuditTarget } from '../../contract/operation.ts';

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
export function formatTarget(kind: AuditTarget, input: unknown, output: unknown): string {
  switch (kind) {
    case 'webhook':
      return formatWebhook(input, output);
    case 'approval':
      return formatApproval(input, output);
    case 'gateway-request':
      return formatGatewayRequest(input);
    case 'gateway-change':
      return describeGatewayChange(input, output);
    case 'notification':
      return formatNotification(readNames(input), readNames(output));
    default:
      return [formatResource(kind, readNames(input), readNames(output)), ...formatChanges(input)]
        .filter((part) => part !== '')
        .join(' · ')
        .slice(0, maxLength);
  }
}

const formatNotification = (requested: Names, returned: Names): string =>
  text(returned.name ?? requested.name ?? requested.channelId ?? requested.ruleId ?? requested.messageId);

/** The kinds of targets that have a name or constant. */
type NamedTarget = Exclude<
  AuditTarget,
  'webhook' | 'approval' | 'gateway-request' | 'gateway-change' | 'notification'
>;

function formatResource(kind: NamedTarget, requested: Names, returned: Names): string {
  const run = formatRun(requested, returned);
  switch (kind) {
    case 'queue':
      return [`queue ${text(requested.queue)}`, run].filter((part) => part !== '').join(' · ');
    case 'token':
      return text(requested.name ?? returned.name ?? requested.tokenId);
    case 'receiver':
      return text(returned.name ?? requested.name ?? requested.receiverId);
    case 'user':
      return text(returned.username ?? requested.username ?? requested.userId);
    case 'worker':
      return text(requested.workerId ?? requested.tokenId);
    case 'setting':
      return text(requested.key);
    case 'base-config':
      return 'base configuration';
    case 'mail-server':
      return 'mail server';
    case 'login':
      return text(requested.username);
    case 'resource':
      return run === '' ? text(requested.fileName ?? requested.name) : run;
  }
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
