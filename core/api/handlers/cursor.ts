import { AppError } from '../../base/errors.ts';
import type { RunCursor } from '../../run/ports.ts';

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
