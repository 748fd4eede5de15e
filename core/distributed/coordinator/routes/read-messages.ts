import { AppError } from '../../../base/errors.ts';
import type { Labels, TaskHold } from '../../ports.ts';
import {
  protocolVersion,
  type BeatMessage,
  type ClaimMessage,
  type HoldsMessage,
  type JoinRequest,
  type SettleMessage,
} from '../../protocol.ts';

/** Maximum waiting time of a worker's request, in milliseconds. */
const longestWaitMs = 30_000;
/** Maximum number of tasks per message. */
const mostTasks = 10_000;
const mostLabels = 64;
const longestLabel = 256;
/** Step names have no length limit of their own; in URLs, the header size limits them. */
const longestKey = 16_384;
/** Starts with a letter or digit, so that an id cannot be an option or a parent path. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$/;

type Fields = Readonly<Record<string, unknown>>;

export function readJoin(body: unknown): JoinRequest {
  const fields = readObject(body, 'The body');
  const protocol = readNumber(fields, 'protocol', { least: 1, most: 1_000_000 });
  if (protocol > protocolVersion)
    throw refuse(
      `The worker uses protocol version ${protocol}, but this coordinator supports at most ${protocolVersion}. Update the coordinators first.`,
    );
  return {
    protocol,
    id: readWorkerId(fields['id'], '"id"'),
    labels: readLabels(fields['labels']),
    slots: readNumber(fields, 'slots', { least: 1, most: 10_000 }),
    version: readText(fields, 'version', 64),
    host: readText(fields, 'host', 255),
    pid: readNumber(fields, 'pid', { least: 0, most: 2 ** 32 }),
    keeps: readHolds(fields, 'keeps'),
  };
}

export function readClaim(body: unknown): ClaimMessage {
  const fields = readObject(body, 'The body');
  return {
    free: readNumber(fields, 'free', { least: 0, most: 10_000 }),
    waitMs: readNumber(fields, 'waitMs', { least: 0, most: longestWaitMs }),
  };
}

export const readHoldsMessage = (body: unknown): HoldsMessage => ({
  holds: readHolds(readObject(body, 'The body'), 'holds'),
});

export function readBeat(body: unknown): BeatMessage {
  const fields = readObject(body, 'The body');
  const load = readOptional(fields, 'load', { least: 0, most: 1e6 });
  const freeBytes = readOptional(fields, 'freeBytes', { least: 0, most: Number.MAX_SAFE_INTEGER });
  return {
    running: readHolds(fields, 'running'),
    ...(load === undefined ? {} : { load }),
    ...(freeBytes === undefined ? {} : { freeBytes }),
  };
}

export function readSettle(body: unknown): SettleMessage {
  const results = readList(readObject(body, 'The body'), 'results').map((entry, index) => {
    const name = `results[${index}]`;
    const fields = readObject(entry, `"${name}"`);
    const { result } = fields;
    if (typeof result !== 'string') throw refuse(`"${name}.result" must be a string with a JSON result.`);
    return { ...readHold(fields, name), result };
  });
  return { results };
}

/** Parses a worker id; `what` says where it was found. Throws `bad_request`. */
export function readWorkerId(value: unknown, what: string): string {
  if (typeof value === 'string' && idPattern.test(value)) return value;
  throw refuse(
    `${what} must be a worker id: 1 to 128 letters, digits, ".", "_", ":", "@" or "-", starting with a letter or digit.`,
  );
}

/** Parses an integer of a header or URL. Throws `bad_request`. */
export function readWholeNumber(text: unknown, what: string): number {
  const value = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw refuse(`${what} must be a whole number.`);
}

function readLabels(value: unknown): Labels {
  const labels = Object.entries(readObject(value, '"labels"'));
  if (labels.length > mostLabels) throw refuse(`"labels" must have at most ${mostLabels} entries.`);
  for (const [name, text] of labels)
    if (name === '' || name.length > longestLabel || typeof text !== 'string' || text.length > longestLabel)
      throw refuse(`"labels.${name.slice(0, 80)}" must be a string of at most ${longestLabel} characters.`);
  return Object.fromEntries(labels) as Labels;
}

const readHolds = (fields: Fields, name: string): TaskHold[] =>
  readList(fields, name).map((entry, index) =>
    readHold(readObject(entry, `"${name}[${index}]"`), `${name}[${index}]`),
  );

function readHold(fields: Fields, name: string): TaskHold {
  const { key, fence } = fields;
  if (typeof key !== 'string' || key === '' || key.length > longestKey)
    throw refuse(`"${name}.key" must be a task key.`);
  if (!Number.isSafeInteger(fence) || (fence as number) < 0)
    throw refuse(`"${name}.fence" must be the fence number of the task.`);
  return { key, fence: fence as number };
}

function readList(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw refuse(`"${name}" must be a list.`);
  if (value.length > mostTasks) throw refuse(`"${name}" must have at most ${mostTasks} entries.`);
  return value;
}

function readObject(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw refuse(`${what} must be an object.`);
}

function readText(fields: Fields, name: string, longest: number): string {
  const value = fields[name];
  if (typeof value === 'string' && value.length <= longest) return value;
  throw refuse(`"${name}" must be a string of at most ${longest} characters.`);
}

interface Range {
  readonly least: number;
  readonly most: number;
}

function readNumber(fields: Fields, name: string, { least, most }: Range): number {
  const value = fields[name];
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most)
    return value as number;
  throw refuse(`"${name}" must be a whole number from ${least} to ${most}.`);
}

function readOptional(fields: Fields, name: string, { least, most }: Range): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw refuse(`"${name}" must be a number from ${least} to ${most}.`);
}

const refuse = (message: string): AppError => new AppError('bad_request', message);
