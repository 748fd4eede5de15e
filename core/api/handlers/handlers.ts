import type { OperationInput, OperationName, OperationOutput } from '../../contract/operations.ts';
import type { Trigger } from '../../model/run-event.ts';
import { AppError } from '../../base/errors.ts';
import type { RunCursor } from '../../store/types/runs.ts';
import { readDate } from '../../spec/schedule/next-run.ts';
import type { BaseSource, Caller } from '../engine-api.ts';
import type { EngineContext } from '../engine-context.ts';

/**
 * Runs one operation.
 * @throws AppError
 */
export type Handler<Name extends OperationName> = (
  input: OperationInput<Name>,
  context: EngineContext,
  caller: Caller,
) => OperationOutput<Name> | Promise<OperationOutput<Name>>;

/** Handlers of some operations. */
export type HandlersFor<Names extends OperationName> = { readonly [Name in Names]: Handler<Name> };

/** Returns the trigger of a run that is started through a transport. */
export const getTrigger = (caller: Caller): Trigger =>
  ({ ipc: 'manual', http: 'api', cli: 'cli' } as const)[caller.via];

/** Returns the trigger together with the caller. */
export const getOrigin = (caller: Caller): { readonly trigger: Trigger; readonly startedBy: string } => ({
  trigger: getTrigger(caller),
  startedBy: caller.name,
});

/**
 * Returns the source for a text, with the text of a base configuration if it was sent.
 * @param sourceFile the workflow file that the text replaces
 */
export const inlineSource = (
  spec: string,
  base: string | undefined,
  sourceFile?: string,
): { readonly spec: string; readonly base?: BaseSource; readonly sourceFile?: string | undefined } => ({
  spec,
  sourceFile,
  ...(base !== undefined && { base: { text: base } }),
});

/**
 * Parses the cursor of a page; undefined for the first page.
 * @throws `bad_request`
 */
export function parseCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  // Imported runs of another program have keys below 1.
  if (/^(0|-?[1-9][0-9]{0,15})$/.test(cursor)) return Number(cursor);
  throw badCursor();
}

/** Parses the cursor of a list of runs, which may be ordered by creation. */
export function parseRunCursor(cursor: string | undefined): RunCursor | undefined {
  const byTime = /^t(-?[0-9]{1,15})\.(.+)$/.exec(cursor ?? '');
  const key = parseCursor(byTime === null ? cursor : byTime[2]);
  if (key === undefined) return undefined;
  return byTime === null ? { key } : { key, at: Number(byTime[1]) };
}

/** Formats a position in a list of runs as a cursor. */
export const toRunCursor = ({ key, at }: RunCursor): string =>
  at === undefined ? String(key) : `t${at}.${key}`;

/** Formats a position in a list that is ordered by strings as a cursor. */
export const toTextCursor = (texts: readonly string[]): string =>
  Buffer.from(JSON.stringify(texts), 'utf8').toString('base64url');

/**
 * Parses a cursor of {@link toTextCursor} with this number of strings; undefined for the first page.
 * @throws `bad_request`
 */
export function parseTextCursor(cursor: string | undefined, count: number): string[] | undefined {
  if (cursor === undefined) return undefined;
  const texts = readJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (Array.isArray(texts) && texts.length === count && texts.every((text) => typeof text === 'string'))
    return texts;
  throw badCursor();
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const badCursor = (): AppError =>
  new AppError(
    'bad_request',
    'cursor: invalid cursor. Use "nextCursor" of a previous page, or omit it for the first page.',
    { details: { field: 'cursor' } },
  );

/** The year 3000; larger numbers are milliseconds by mistake. */
const maxSeconds = 32_503_680_000;

const isoText = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Parses a time from a client to epoch milliseconds; undefined if absent. Accepts ISO 8601, in UTC if it has no zone,
 * and seconds since 1970.
 * @throws `bad_request` naming the field
 */
export function parseTimestamp(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = /^-?\d{1,12}(\.\d{1,6})?$/.test(text) ? readSeconds(Number(text)) : readIso(text);
  if (at !== undefined) return at;
  throw new AppError(
    'bad_request',
    `${field}: invalid time ${JSON.stringify(text)}. Use a time such as 2026-01-31, 2026-01-31T08:00:00Z or 1769846400 (Unix timestamp).`,
    { details: { field } },
  );
}

const readSeconds = (seconds: number): number | undefined =>
  Math.abs(seconds) > maxSeconds ? undefined : Math.round(seconds * 1000);

function readIso(text: string): number | undefined {
  // A plus sign in a URL is decoded as a space.
  const match = isoText.exec(text.replace(' ', '+'));
  // `Date.parse` would accept February 30 as March 2.
  if (match === null || readDate(text.slice(0, 10)) === undefined) return undefined;
  const [whole, time, , , zone] = match;
  const at = Date.parse(time === undefined || zone !== undefined ? whole : `${whole}Z`);
  return Number.isNaN(at) ? undefined : at;
}
