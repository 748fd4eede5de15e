import { GatewayError } from '../../gateway-error.ts';
import { Cursor } from './cursor.ts';

const WHOLE_NUMBER = /^\s*[+-]?\d+\s*$/;

/**
 * The value of `limit=`; undefined for an empty one.
 * @throws GatewayError PGRST103 for a negative one, PGRST100 for what is no number
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

/** The value of `offset=`; 0 for a negative one and for what is no number. */
export function readOffset(text: string): number {
  const offset = WHOLE_NUMBER.test(text) ? Number(text) : 0;
  return Math.min(Math.max(offset, 0), Number.MAX_SAFE_INTEGER);
}
