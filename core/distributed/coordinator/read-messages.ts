import { AppError } from '../../base/errors.ts';
import type { Labels, TaskLease } from '../../store/types/dispatch.ts';
import {
  protocolVersion,
  type HeartbeatMessage,
  type ClaimMessage,
  type ActiveTasksMessage,
  type JoinRequest,
  type CompleteMessage,
} from '../protocol.ts';

/** Maximum waiting time of a worker's request, in milliseconds. */
const maxWaitMs = 30_000;
/** Maximum number of tasks per message. */
const maxTasks = 10_000;
const maxLabels = 64;
const maxLabelLength = 256;
/** Step names have no length limit of their own; in URLs, the header size limits them. */
const maxKeyLength = 16_384;
/** Starts with a letter or digit, so that an id cannot be an option or a parent path. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$/;

type Fields = Readonly<Record<string, unknown>>;

export function readJoin(body: unknown): JoinRequest {
  const fields = readObject(body, 'The body');
  const protocol = readNumber(fields, 'protocol', { min: 1, max: 1_000_000 });
  if (protocol > protocolVersion)
    throw messageError(
      `The worker uses protocol version ${protocol}, but this coordinator supports at most ${protocolVersion}. Update the coordinators first.`,
    );
  return {
    protocol,
    id: readWorkerId(fields['id'], '"id"'),
    labels: readLabels(fields['labels']),
    slots: readNumber(fields, 'slots', { min: 1, max: 10_000 }),
    version: readText(fields, 'version', 64),
    host: readText(fields, 'host', 255),
    pid: readNumber(fields, 'pid', { min: 0, max: 2 ** 32 }),
    keeps: readTaskLeases(fields, 'keeps'),
  };
}

export function readClaim(body: unknown): ClaimMessage {
  const fields = readObject(body, 'The body');
  return {
    free: readNumber(fields, 'free', { min: 0, max: 10_000 }),
    waitMs: readNumber(fields, 'waitMs', { min: 0, max: maxWaitMs }),
  };
}

export const readActiveTasksMessage = (body: unknown): ActiveTasksMessage => ({
  holds: readTaskLeases(readObject(body, 'The body'), 'holds'),
});

export function readHeartbeat(body: unknown): HeartbeatMessage {
  const fields = readObject(body, 'The body');
  const load = readOptional(fields, 'load', { min: 0, max: 1e6 });
  const freeBytes = readOptional(fields, 'freeBytes', { min: 0, max: Number.MAX_SAFE_INTEGER });
  return {
    running: readTaskLeases(fields, 'running'),
    ...(load === undefined ? {} : { load }),
    ...(freeBytes === undefined ? {} : { freeBytes }),
  };
}

export function readComplete(body: unknown): CompleteMessage {
  const results = readList(readObject(body, 'The body'), 'results').map((entry, index) => {
    const name = `results[${index}]`;
    const fields = readObject(entry, `"${name}"`);
    const { result } = fields;
    if (typeof result !== 'string')
      throw messageError(`"${name}.result" must be a string with a JSON result.`);
    return { ...readTaskLease(fields, name), result };
  });
  return { results };
}

/** Parses a worker id; `subject` names its origin in the message. Throws `bad_request`. */
export function readWorkerId(value: unknown, subject: string): string {
  if (typeof value === 'string' && idPattern.test(value)) return value;
  throw messageError(
    `${subject} must be a worker ID: 1 to 128 letters, digits, ".", "_", ":", "@" or "-", starting with a letter or digit.`,
  );
}

/** Parses an integer of a header or URL. Throws `bad_request`. */
export function readInteger(text: unknown, subject: string): number {
  const value = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw messageError(`${subject} must be a whole number.`);
}

function readLabels(value: unknown): Labels {
  const labels = Object.entries(readObject(value, '"labels"'));
  if (labels.length > maxLabels) throw messageError(`"labels" must have at most ${maxLabels} entries.`);
  for (const [name, text] of labels)
    if (
      name === '' ||
      name.length > maxLabelLength ||
      typeof text !== 'string' ||
      text.length > maxLabelLength
    )
      throw messageError(
        `"labels.${name.slice(0, 80)}" must be a string of at most ${maxLabelLength} characters.`,
      );
  return Object.fromEntries(labels) as Labels;
}

const readTaskLeases = (fields: Fields, name: string): TaskLease[] =>
  readList(fields, name).map((entry, index) =>
    readTaskLease(readObject(entry, `"${name}[${index}]"`), `${name}[${index}]`),
  );

function readTaskLease(fields: Fields, name: string): TaskLease {
  const { key, fence } = fields;
  if (typeof key !== 'string' || key === '' || key.length > maxKeyLength)
    throw messageError(`"${name}.key" must be a task key.`);
  if (!Number.isSafeInteger(fence) || (fence as number) < 0)
    throw messageError(`"${name}.fence" must be the fence number of the task.`);
  return { key, fence: fence as number };
}

function readList(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw messageError(`"${name}" must be a list.`);
  if (value.length > maxTasks) throw messageError(`"${name}" must have at most ${maxTasks} entries.`);
  return value;
}

function readObject(value: unknown, subject: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw messageError(`${subject} must be an object.`);
}

function readText(fields: Fields, name: string, maxLength: number): string {
  const value = fields[name];
  if (typeof value === 'string' && value.length <= maxLength) return value;
  throw messageError(`"${name}" must be a string of at most ${maxLength} characters.`);
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function readNumber(fields: Fields, name: string, { min, max }: Range): number {
  const value = fields[name];
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
    return value as number;
  throw messageError(`"${name}" must be a whole number from ${min} to ${max}.`);
}

function readOptional(fields: Fields, name: string, { min, max }: Range): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && value >= min && value <= max) return value;
  throw messageError(`"${name}" must be a number from ${min} to ${max}.`);
}

const messageError = (message: string): AppError => new AppError('bad_request', message);
