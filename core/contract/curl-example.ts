import type { TObject } from 'typebox';
import { apiPrefix, listPathFields, sendsInputInQuery, v1Prefix } from './transport.ts';

/** Example values that are consistent with each other. */
const samples: Readonly<Record<string, unknown>> = {
  fileName: 'sales-etl',
  newFileName: 'sales-etl-old',
  name: 'sales-etl',
  dagRunId: 'latest',
  fromRunId: 'latest',
  subRunId: 'SUB_RUN_ID',
  step: 'extract',
  stepName: 'extract',
  queue: 'default',
  params: 'PACE=0',
  spec: 'steps: [echo hello]',
  artifact: 'report.html',
  nodes: { extract: { x: 0, y: 0 } },
  suspend: true,
  q: 'extract',
  username: 'ann',
  password: 'a long password',
  currentPassword: 'the old password',
  newPassword: 'a long new password',
  userId: 'USER_ID',
  tokenId: 'TOKEN_ID',
  receiverId: 'RECEIVER_ID',
  hookId: 1,
  url: 'https://example.com/hook',
  since: '2026-01-31T08:00:00Z',
  event: 'workflow_run',
  payload: { action: 'completed' },
  secret: 'a long secret',
  secrets: ['a long secret'],
};
const mailExample = {
  host: 'smtp.example.com',
  port: '587',
  username: 'robot',
  encryption: 'auto',
  verifyCertificate: true,
  from: 'flows@example.com',
};

/** Overrides for operations and streams that require a run id and do not accept `latest`. */
const samplesByOperation: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'runs.calendar': { fromDate: '2026-01-01', toDate: '2026-01-31' },
  'runs.statistics': { fromDate: '2026-01-01', toDate: '2026-01-31' },
  'runs.recent': { names: ['nightly'] },
  'runs.durations': { names: ['nightly'] },
  'schedules.counts': { fromDate: '2026-01-01', toDate: '2026-01-31' },
  'schedules.missed': { fromDate: '2026-01-01', toDate: '2026-01-31' },
  'schedules.calendar': { fromDate: '2026-01-01', toDate: '2026-01-31' },
  'runs.stop': { dagRunId: 'RUN_ID' },
  'runs.delete': { dagRunId: 'RUN_ID' },
  'runs.dequeue': { dagRunId: 'RUN_ID' },
  'runs.setNote': { dagRunId: 'RUN_ID', text: 'Bad input, see ticket 4711' },
  'runs.setStepStatus': { dagRunId: 'RUN_ID' },
  'runs.setSubRunStepStatus': { dagRunId: 'RUN_ID' },
  'logs.followText': { dagRunId: 'RUN_ID' },
  'logs.followRun': { dagRunId: 'RUN_ID' },
  'channels.create': { name: 'ops-slack', kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/XXXX' },
  'rules.create': { name: 'failures', channels: ['ops-slack'] },
  'tokens.create': { name: 'nightly deployment' },
  'receivers.create': { name: 'github' },
  'receivers.delivery': { id: '1' },
  'receivers.replay': { id: '1' },
  'approvals.answer': { id: 'APPROVAL_ID', decision: 'approved', comment: 'Looks good' },
  'queues.setLimit': { maxConcurrency: 4 },
  'config.set': { key: 'history.retentionDays', value: '90' },
  'config.setMail': mailExample,
  'config.testMail': { ...mailExample, to: 'ops@example.com' },
  'secrets.set': { name: 'sales-token', value: 'a long secret' },
  'secrets.delete': { name: 'sales-token' },
  'dags.importCrontab': { crontab: '30 6 * * 1-5 backup.sh' },
  'config.setBase': { spec: 'histRetentionDays: 90' },
  'quotes.personalized': { q: 'Ada' },
  'quotes.get': { id: 'g-012' },
  'gateway.rows': { schema: 'public', table: 'people' },
  'gateway.value': { schema: 'public', table: 'people', key: ['1'], column: 'notes' },
  'gateway.insertRow': { schema: 'public', table: 'people', values: { name: 'Ada' } },
  'gateway.updateRow': {
    ...{ schema: 'public', table: 'people', key: ['1'] },
    ...{ values: { name: 'Ada' }, expected: { name: 'Eda' } },
  },
  'gateway.deleteRows': { schema: 'public', table: 'people', keys: [['1']] },
  'gateway.sql': { sql: 'SELECT 1' },
  'gateway.addImportRows': { importId: 'IMPORT_ID', rows: [{ line: 2, values: ['Ada'] }] },
  'gateway.finishImport': {
    ...{ importId: 'IMPORT_ID', schema: 'public', table: 'people' },
    columns: [{ source: 0, name: 'name' }],
  },
  'gateway.request': { method: 'GET', path: '/people?select=name' },
};
/** Optional fields that an example includes. */
const shown: Readonly<Record<string, readonly string[]>> = {
  'dags.start': ['params'],
  'dags.enqueue': ['params'],
  'dags.dry': ['params'],
  'runs.retry': ['stepName'],
  'approvals.answer': ['comment'],
};

/** An operation for which an example is built. */
export interface ExampleSource {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** As in the table of operations. */
  readonly version?: 1 | undefined;
  readonly input: TObject;
  readonly isStream: boolean;
}

/** The server that an example is for. */
export interface ExampleServer {
  /** Base URL of its API, such as `http://127.0.0.1:8080/api/v2`, or a variable such as `$API`. */
  readonly api: string;
  /** Requires credentials: the example uses the token variable of the command line. */
  readonly isGuarded?: boolean | undefined;
}

/** Returns a request to copy into a POSIX shell. */
export function buildCurl(
  { name, method, path, version, input, isStream }: ExampleSource,
  { api, isGuarded = false }: ExampleServer,
): string {
  const inPath = listPathFields(path);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => String(findExample(name, field, input)));
  const fields = Object.keys(input.properties).filter(
    (field) => !inPath.includes(field) && (isRequired(input, field) || shown[name]?.includes(field)),
  );
  const values = Object.fromEntries(fields.map((field) => [field, findExample(name, field, input)]));
  const inQuery = sendsInputInQuery(method);
  const query = inQuery ? formatQuery(values) : '';
  const start = ['curl', isStream ? '-sSN' : '-sS', ...(method === 'GET' ? [] : [`-X ${method}`])].join(' ');
  const body =
    inQuery || fields.length === 0
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d '${formatJson(values).replaceAll("'", String.raw`'\''`)}'`,
        ];
  const credentials = isGuarded ? ['-H "Authorization: Bearer $ENGINE_SERVER_TOKEN"'] : [];
  return breakLines([start, ...credentials, ...body, `"${findMount(api, version)}${filled}${query}"`]);
}

/**
 * Returns the base URL of the API, or of a version 1 service next to it; for a variable, the shell removes the
 * version.
 */
function findMount(api: string, version: 1 | undefined): string {
  if (version === undefined) return api;
  return api.startsWith('$')
    ? `${api.replace(/^\$(\w+)$/, '${$1%2}')}1`
    : api.slice(0, -apiPrefix.length) + v1Prefix;
}

const maxLineLength = 80;

/** Returns one line, or one line per part if it would be too long. */
function breakLines(args: readonly string[]): string {
  const line = args.join(' ');
  return line.length <= maxLineLength || args.length === 2 ? line : args.join(' \\\n  ');
}

const formatJson = (values: Readonly<Record<string, unknown>>): string =>
  `{${Object.entries(values)
    .map(([field, value]) => `"${field}": ${JSON.stringify(value)}`)
    .join(', ')}}`;

const isRequired = (input: TObject, field: string): boolean =>
  ((input.required ?? []) as readonly string[]).includes(field);

function formatQuery(values: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(values).map(
    ([field, value]) => `${field}=${encodeURIComponent(String(value))}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Returns an example value for a field of an operation; for a required field, it is valid. */
export function findExample(operation: string, field: string, input: TObject): unknown {
  const sample = samplesByOperation[operation]?.[field] ?? samples[field];
  if (sample !== undefined) return sample;
  const schema = input.properties[field] as { readonly enum?: readonly unknown[]; readonly type?: string };
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  return schema.type === 'boolean' ? true : field.toUpperCase();
}
