/** A step or handler of a recorded run, with the values of the file. */
export interface LegacyNode {
  readonly name: string;
  readonly status: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  readonly error: string;
  readonly retryCount: number;
  /** Log file. */
  readonly log: string;
  readonly description: string;
  readonly command: string;
  readonly script: string;
  readonly depends: readonly string[];
  /** Name and parameters of the sub-workflow it calls. */
  readonly calls: string;
  readonly callParams: string;
  readonly executor: string;
  /** Variables it has set, by name. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A run in a history file of 1.16. Times are epoch milliseconds. */
export interface LegacyStatus {
  readonly name: string;
  readonly requestId: string;
  readonly status: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** The engine's own log of the run. */
  readonly log: string;
  readonly params: string;
  readonly paramsList: readonly string[];
  readonly nodes: readonly LegacyNode[];
  readonly onExit?: LegacyNode;
  readonly onSuccess?: LegacyNode;
  readonly onFailure?: LegacyNode;
  readonly onCancel?: LegacyNode;
}

/** A map with case-insensitive keys: releases before 1.16.9 wrote those of steps in upper case. */
type Fields = ReadonlyMap<string, unknown>;

/**
 * Returns the last complete state in a history file, to which each change appended a line of JSON. Undefined if there
 * is none, for example after an early crash.
 */
export function parseLegacyFile(text: string): LegacyStatus | undefined {
  const lines = text.split('\n');
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index]!.trim();
    const status = line === '' ? undefined : parseLine(line);
    if (status !== undefined) return status;
  }
  return undefined;
}

function parseLine(line: string): LegacyStatus | undefined {
  let fields: Fields | undefined;
  try {
    fields = toFields(JSON.parse(line));
  } catch {
    return undefined;
  }
  if (fields === undefined || readText(fields, 'RequestId') === '') return undefined;
  const nodes = fields.get('nodes');
  return {
    name: readText(fields, 'Name'),
    requestId: readText(fields, 'RequestId'),
    status: readNumber(fields, 'Status'),
    ...readTimes(fields),
    log: readText(fields, 'Log'),
    params: readText(fields, 'Params'),
    paramsList: readTexts(fields, 'ParamsList'),
    nodes: (Array.isArray(nodes) ? nodes : []).map(readNode).filter((node) => node !== undefined),
    onExit: readNode(fields.get('onexit')),
    onSuccess: readNode(fields.get('onsuccess')),
    onFailure: readNode(fields.get('onfailure')),
    onCancel: readNode(fields.get('oncancel')),
  };
}

function readNode(value: unknown): LegacyNode | undefined {
  const fields = toFields(value);
  const step = toFields(fields?.get('step'));
  if (fields === undefined || step === undefined || readText(step, 'Name') === '') return undefined;
  const subWorkflow = toFields(step.get('childdag')) ?? toFields(step.get('subworkflow'));
  return {
    name: readText(step, 'Name'),
    status: readNumber(fields, 'Status'),
    ...readTimes(fields),
    error: readText(fields, 'Error'),
    retryCount: Math.max(0, readNumber(fields, 'RetryCount')),
    log: readText(fields, 'Log'),
    description: readText(step, 'Description'),
    command: readCommand(step),
    script: readText(step, 'Script'),
    depends: readTexts(step, 'Depends'),
    calls: subWorkflow === undefined ? '' : readText(subWorkflow, 'Name'),
    callParams: subWorkflow === undefined ? '' : readText(subWorkflow, 'Params'),
    executor: readText(toFields(step.get('executorconfig')) ?? new Map(), 'Type'),
    variables: readVariables(step.get('outputvariables')),
  };
}

function readCommand(step: Fields): string {
  const commandLine = readText(step, 'CmdWithArgs');
  return commandLine === ''
    ? [readText(step, 'Command'), ...readTexts(step, 'Args')].join(' ').trim()
    : commandLine;
}

/** Values are stored as `NAME=value`. */
function readVariables(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  const texts = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(
    texts.map(([name, text]) => [name, text.startsWith(`${name}=`) ? text.slice(name.length + 1) : text]),
  );
}

const toFields = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value).map(([key, field]) => [key.toLowerCase(), field]))
    : undefined;

function readText(fields: Fields, name: string): string {
  const value = fields.get(name.toLowerCase());
  return typeof value === 'string' ? value : '';
}

function readNumber(fields: Fields, name: string): number {
  const value = fields.get(name.toLowerCase());
  return typeof value === 'number' && Number.isInteger(value) ? value : 0;
}

function readTexts(fields: Fields, name: string): string[] {
  const value = fields.get(name.toLowerCase());
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function readTimes(fields: Fields): { startedAt?: number; finishedAt?: number } {
  const startedAt = parseTime(readText(fields, 'StartedAt'));
  const finishedAt = parseTime(readText(fields, 'FinishedAt'));
  return {
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(finishedAt === undefined ? {} : { finishedAt }),
  };
}

/** Parses RFC 3339, or local time without a zone; `-` means no time. */
function parseTime(text: string): number | undefined {
  if (!/^[1-9]\d{3}-\d\d-\d\d[T ]/.test(text)) return undefined;
  const time = Date.parse(text.replace(' ', 'T'));
  return Number.isNaN(time) ? undefined : time;
}
