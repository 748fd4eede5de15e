import { GatewayError } from '../../gateway-error.ts';
import { Cursor } from './cursor.ts';

const WHOLE_NUMBER = /^\s*[+-]?\d+\s*$/;

/**
 * Returns the value of `limit=`; undefined if empty.
 * @throws GatewayError PGRST103 if negative, PGRST100 if not a number
 */
export function readLimit(text: string): number | undefined {
  if (text.trim() === '') return undefined;
  if (!WHOLE_NUMBER.test(text)) new Cursor(text, 'limit parameter').fail('a whole number');
  const limit = Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  if (limit >= 0) return limit === 0 ? 0 : limit;
  throw new GatewayError(416, 'PGRST103', 'Requested range not satisfiable', {
    details: 'Limit should be greater than or equal to zero.',
  });
}

/** Returns the value of `offset=`; 0 if negative or not a number. */
export function readOffset(text: string): number {
  const offset = WHOLE_NUMBER.test(text) ? Number(text) : 0;
  return Math.min(Math.max(offset, 0), Number.MAX_SAFE_INTEGER);
}
