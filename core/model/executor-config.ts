import type { JsonValue } from '../base/json.ts';

/**
 * One field of an executor's configuration. All strings in it may contain references (docs/expansion.md), which are
 * evaluated when the step starts; so a number or a boolean may be written as a string with a reference.
 */
export interface ConfigField {
  readonly kind: 'text' | 'number' | 'flag' | 'textMap' | 'textList' | 'choice' | 'json';
  /** One or two sentences for the editor: meaning, unit, default. */
  readonly description: string;
  readonly example?: JsonValue;
  /** Values of a `choice`. */
  readonly values?: readonly string[];
  readonly required?: boolean;
  /** Hidden in the editor's form until it is set or asked for. */
  readonly isAdvanced?: true;
}

/**
 * The fields of a configuration by name; the only source of its validation, its type and its part of the editor schema.
 */
export type ConfigTable = Readonly<Record<string, ConfigField>>;

interface ValueByKind {
  text: string;
  number: number;
  flag: boolean;
  textMap: Readonly<Record<string, string>>;
  textList: readonly string[];
  json: JsonValue;
}

type ValueOf<Field extends ConfigField> = Field['kind'] extends 'choice'
  ? NonNullable<Field['values']>[number]
  : ValueByKind[Exclude<Field['kind'], 'choice'>];

/** A configuration with evaluated values. */
export type ConfigOf<Table extends ConfigTable> = {
  readonly [Name in keyof Table]: Table[Name]['required'] extends true
    ? ValueOf<Table[Name]>
    : ValueOf<Table[Name]> | undefined;
};

/** Preserves the names, kinds and choices of a table in its type. */
export const configTable = <const Table extends ConfigTable>(table: Table): Table => table;

/** `config` of a step of type `approval`. */
export const approvalTable = configTable({
  question: {
    kind: 'text',
    description: 'Question shown to the approver.',
    example: 'Release ${VERSION} to production?',
    required: true,
  },
  details: {
    kind: 'text',
    description: 'Additional text below the question, such as a report.',
    example: '${REPORT}',
  },
  inputs: {
    kind: 'textList',
    description: 'Input fields the approver can fill in.',
    example: ['TICKET', 'REASON'],
  },
  required: {
    kind: 'textList',
    description: 'Inputs that are required for approval.',
    example: ['TICKET'],
  },
});

/** `config` of a step of type `mail`. The servers are those of the workflow's `smtp`. */
export const mailConfig = configTable({
  from: { kind: 'text', description: 'Sender address.', example: 'etl@example.com', required: true },
  to: {
    kind: 'textList',
    description: 'Recipient addresses.',
    example: ['ops@example.com', 'Team <dev@example.com>'],
    required: true,
  },
  cc: { kind: 'textList', description: 'CC addresses.', example: 'audit@example.com', isAdvanced: true },
  bcc: {
    kind: 'textList',
    description: 'BCC addresses.',
    example: 'archive@example.com',
    isAdvanced: true,
  },
  replyTo: {
    kind: 'text',
    description: 'Reply address. Default: the sender.',
    example: 'help@example.com',
    isAdvanced: true,
  },
  subject: { kind: 'text', description: 'Email subject.', example: 'Report of ${DAY}' },
  message: { kind: 'text', description: 'Plain text body.', example: 'All ${COUNT} rows are in.' },
  html: {
    kind: 'text',
    description: 'HTML body, shown instead of "message" if supported.',
    example: '<p>All rows are in.</p>',
    isAdvanced: true,
  },
  attachments: {
    kind: 'textList',
    description: 'Files to attach. A missing file fails the step.',
    example: ['report.pdf'],
  },
});

/** Memory limit of jq, in MiB. */
export const jqMemory = { default: 256, min: 32, max: 1024 } as const;

/** `config` of a step of type `jq`. */
export const jqTable = configTable({
  raw: {
    kind: 'flag',
    description: 'Print strings without quotes. Default: false.',
  },
  compact: {
    kind: 'flag',
    description: 'Print each result on one line. Default: false.',
  },
  input: {
    kind: 'text',
    description: 'JSON to query, instead of "script".',
    example: '${RESULT}',
  },
  inputFile: {
    kind: 'text',
    description: 'JSON file to query.',
    example: 'orders.json',
  },
  queryFile: {
    kind: 'text',
    description: 'File that contains the query, instead of "command".',
    example: 'report.jq',
    isAdvanced: true,
  },
  args: {
    kind: 'textMap',
    description: 'String variables for the query, like jq --arg.',
    example: { city: '${CITY}' },
    isAdvanced: true,
  },
  nullInput: {
    kind: 'flag',
    description: 'Run the query once with null input. Default: false.',
    isAdvanced: true,
  },
  slurp: {
    kind: 'flag',
    description: 'Read all input values into one array. Default: false.',
    isAdvanced: true,
  },
  maxMemoryMiB: {
    kind: 'number',
    description: `Memory limit in MiB, ${jqMemory.min} to ${jqMemory.max}. Default: ${jqMemory.default}.`,
    example: 512,
    isAdvanced: true,
  },
});

/** How rows are written. */
export const rowFormats = ['jsonl', 'json', 'csv'] as const;
export type RowFormat = (typeof rowFormats)[number];

/** `config` of a step of type `sql`. */
export const sqlTable = configTable({
  connection: {
    kind: 'text',
    description: 'PostgreSQL connection URL, or "gateway" for the gateway database. Default: gateway.',
    example: '${DATABASE_URL}',
  },
  queryFile: {
    kind: 'text',
    description: 'File that contains the query, instead of "command".',
    example: 'report.sql',
    isAdvanced: true,
  },
  parameters: {
    kind: 'json',
    description: 'Values for $1, $2 and so on, passed as bind parameters.',
    example: ['${DAY}', 10],
  },
  format: {
    kind: 'choice',
    values: rowFormats,
    description: 'Output format: jsonl (default), json or csv.',
  },
  outputFile: {
    kind: 'text',
    description: 'File to write rows to, instead of stdout.',
    example: 'report.csv',
  },
  maxRows: {
    kind: 'number',
    description: 'Maximum rows; more rows fail the step. Default: 100000.',
    isAdvanced: true,
  },
  timeout: {
    kind: 'number',
    description: 'Timeout per statement in seconds. Default: 300. 0: no limit.',
    isAdvanced: true,
  },
  transaction: {
    kind: 'flag',
    description: 'Run the script in one transaction. Default: true.',
    isAdvanced: true,
  },
  readOnly: {
    kind: 'flag',
    description: 'Run in a read-only transaction. Default: false.',
    isAdvanced: true,
  },
});

/** How a host is reached and authenticated by SSH: `config` of a step, and `ssh` of a workflow. */
export const sshTable = configTable({
  user: {
    kind: 'text',
    description: 'SSH user. Default: the user of the engine.',
    example: 'deploy',
  },
  host: {
    kind: 'text',
    description: 'Host name or IP address.',
    example: 'build.example.com',
  },
  ip: {
    kind: 'text',
    description: 'Same as "host".',
    example: '192.0.2.10',
    isAdvanced: true,
  },
  port: {
    kind: 'number',
    description: 'SSH port. Default: 22.',
    example: 2222,
    isAdvanced: true,
  },
  key: {
    kind: 'text',
    description: 'Path of the private key. Default: keys of the SSH agent.',
    example: '~/.ssh/id_ed25519',
  },
  passphrase: {
    kind: 'text',
    description: 'Passphrase of the private key. Use a reference to a secret.',
    example: '${KEY_PASSPHRASE}',
    isAdvanced: true,
  },
  password: {
    kind: 'text',
    description: 'Password. Use a reference to a secret.',
    example: '${SSH_PASSWORD}',
    isAdvanced: true,
  },
  strictHostKey: {
    kind: 'flag',
    description: 'Reject hosts that are not in known_hosts. Default: true.',
    example: true,
    isAdvanced: true,
  },
  knownHostFile: {
    kind: 'text',
    description: 'Path of the known_hosts file. Default: ~/.ssh/known_hosts.',
    example: '~/.ssh/known_hosts',
    isAdvanced: true,
  },
  timeout: {
    kind: 'number',
    description: 'Connection timeout in seconds. Default: 30.',
    example: 10,
    isAdvanced: true,
  },
  keepalive: {
    kind: 'number',
    description: 'Keepalive interval in seconds. Default: 15. 0 turns it off.',
    example: 30,
    isAdvanced: true,
  },
});

/** Evaluated. */
export type SshConfig = ConfigOf<typeof sshTable>;

/** The configuration of an HTTP request. */
export const httpConfig = configTable({
  headers: {
    kind: 'textMap',
    description: 'Request headers.',
    example: { Accept: 'application/json' },
  },
  query: {
    kind: 'textMap',
    description: 'Query parameters added to the URL.',
    example: { page: '2' },
    isAdvanced: true,
  },
  body: {
    kind: 'text',
    description: 'Request body. Default content type: text/plain.',
    example: '{"name": "${NAME}"}',
  },
  bodyFile: {
    kind: 'text',
    description: 'File to send as the request body.',
    example: 'report.pdf',
    isAdvanced: true,
  },
  timeout: {
    kind: 'number',
    description: 'Request timeout in seconds. Default: 0 (no limit).',
    example: 30,
  },
  maxRedirects: {
    kind: 'number',
    description: 'Maximum redirects to follow. Default: 10.',
    example: 3,
    isAdvanced: true,
  },
  json: {
    kind: 'flag',
    description: 'Write status code, headers and body as JSON.',
    isAdvanced: true,
  },
  silent: {
    kind: 'flag',
    description: 'Write the response body only.',
    isAdvanced: true,
  },
  debug: {
    kind: 'flag',
    description: 'Log request and response to stderr, without credentials.',
    isAdvanced: true,
  },
  saveTo: {
    kind: 'text',
    description: 'File to save the response body to, instead of the log.',
    example: 'export.csv',
    isAdvanced: true,
  },
  maxBodyBytes: {
    kind: 'number',
    description: 'Maximum response body in bytes. Default: 10485760 (10 MiB).',
    example: 1_048_576,
    isAdvanced: true,
  },
  skipTLSVerify: {
    kind: 'flag',
    description: 'Accept any server certificate. Insecure. Default: false.',
    isAdvanced: true,
  },
});
