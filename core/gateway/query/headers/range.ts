import { GatewayError } from '../../gateway-error.ts';
import type { Level } from '../query.ts';

/** Rows of a `Range` header: first row, counted from 0, and optional last row. */
export interface RowRange {
  readonly first: number;
  readonly last?: number;
}

/** Parses `a-b` and `a-`; undefined for anything else, which means all rows. */
export function parseRange(header: string | undefined): RowRange | undefined {
  const match = /^\s*(\d{1,15})-(\d{0,15})\s*$/.exec(header ?? '');
  if (match === null) return undefined;
  const first = Number(match[1]);
  return match[2] === '' ? { first } : { first, last: Number(match[2]) };
}

/**
 * Combines limit and offset of a level with a range.
 * @throws GatewayError PGRST103 if the range is empty
 */
export function intersectRange(level: Level, range: RowRange | undefined): Level {
  if (range === undefined) return level;
  if (range.last !== undefined && range.last < range.first)
    throw rangeError(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    );
  const offset = Math.max(level.offset ?? 0, range.first);
  const ends = [
    ...(level.limit === undefined ? [] : [(level.offset ?? 0) + level.limit]),
    ...(range.last === undefined ? [] : [range.last + 1]),
  ];
  if (ends.length === 0) return { ...level, offset };
  const limit = Math.min(...ends) - offset;
  if (limit <= 0 && level.limit !== 0) throw rangeError('Range and limit or offset do not overlap.');
  return { ...level, offset, limit: Math.max(limit, 0) };
}

const rangeError = (details: string): GatewayError =>
  new GatewayError(416, 'PGRST103', 'Requested range not satisfiable', { details });
