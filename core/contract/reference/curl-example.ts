import type { TObject } from 'typebox';
import { apiPrefix, listPathFields, sendsInputInQuery, v1Prefix } from '../transport/http-wire.ts';

/** Values that make sense beside each other. */
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
/** Operations and streams that take an id of a run, and not `latest`. */
const samplesOf: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'runs.calendar': { fromDate: '2026-01-01', toDate: '2026-01-31' },
  'schedules.calendar': { fromDate: '2026-01-01', toDate: '2026-01-31' },
  'runs.stop': { dagRunId: 'RUN_ID' },
  'runs.delete': { dagRunId: 'RUN_ID' },
  'runs.dequeue': { dagRunId: 'RUN_ID' },
  'runs.setStepStatus': { dagRunId: 'RUN_ID' },
  'runs.setSubRunStepStatus': { dagRunId: 'RUN_ID' },
  'logs.followText': { dagRunId: 'RUN_ID' },
  'logs.followRun': { dagRunId: 'RUN_ID' },
  'tokens.create': { name: 'nightly deployment' },
  'receivers.create': { name: 'github' },
  'receivers.delivery': { id: '1' },
  'receivers.replay': { id: '1' },
  'approvals.answer': { id: 'APPROVAL_ID', decision: 'approved', comment: 'Looks good' },
  'quotes.personalized': { q: 'Ada' },
  'quotes.get': { id: 'g-012' },
  'gateway.request': { method: 'GET', path: '/people?select=name' },
};
/** Fields that an example has although they may be left out. */
const shown: Readonly<Record<string, readonly string[]>> = {
  'dags.start': ['params'],
  'dags.enqueue': ['params'],
  'dags.dry': ['params'],
  'runs.retry': ['stepName'],
  'approvals.answer': ['comment'],
};

/** What an example is made for. */
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
  /** Where its API begins, as in `http://127.0.0.1:8080/api/v2`, or a variable such as `$API`. */
  readonly api: string;
  /** It asks for credentials: the example shows the token that the command line takes as well. */
  readonly isGuarded?: boolean | undefined;
}

/** A request to copy into a POSIX shell. */
export function buildCurl(
  { name, method, path, version, input, isStream }: ExampleSource,
  { api, isGuarded = false }: ExampleServer,
): string {
  const inPath = listPathFields(path);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => String(findSample(name, field, input)));
  const fields = Object.keys(input.properties).filter(
    (field) => !inPath.includes(field) && (isRequired(input, field) || shown[name]?.includes(field)),
  );
  const values = Object.fromEntries(fields.map((field) => [field, findSample(name, field, input)]));
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

/** The address of the API, or of a service of version 1 beside it; a shell takes the number off a variable. */
function findMount(api: string, version: 1 | undefined): string {
  if (version === undefined) return api;
  return api.startsWith('$')
    ? `${api.replace(/^\$(\w+)$/, '${$1%2}')}1`
    : api.slice(0, -apiPrefix.length) + v1Prefix;
}

const longestLine = 80;

/** One line, or one for each part when that would be long. */
function breakLines(parts: readonly string[]): string {
  const line = parts.join(' ');
  return line.length <= longestLine || parts.length === 2 ? line : parts.join(' \\\n  ');
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

/** A value that a field of an operation may have; for a required one it fits the schema. */
export function findSample(operation: string, field: string, input: TObject): unknown {
  const sample = samplesOf[operation]?.[field] ?? samples[field];
  if (sample !== undefined) return sample;
  const schema = input.properties[field] as { readonly enum?: readonly unknown[]; readonly type?: string };
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  return schema.type === 'boolean' ? true : field.toUpperCase();
}
