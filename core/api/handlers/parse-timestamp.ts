import { AppError } from '../../base/errors.ts';
import { readDate } from '../../schedule/days.ts';

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
