import { GatewayError } from '../../gateway-error.ts';

/** Rows in a response. */
export interface ReturnedRange {
  readonly offset: number;
  readonly shown: number;
  /** Number of rows without limit and offset; absent if not counted. */
  readonly total?: number | undefined;
}

/** Formats `0-14/15`; `*` represents no rows or an unknown total. */
export function formatContentRange({ offset, shown, total }: ReturnedRange): string {
  const rows = shown > 0 && total !== 0 ? `${offset}-${offset + shown - 1}` : '*';
  return `${rows}/${total ?? '*'}`;
}

/**
 * Returns 206 if a count says that there are more rows than shown, else 200.
 * @throws GatewayError PGRST103 for an offset beyond the last row
 */
export function statusOfRange({ offset, shown, total }: ReturnedRange): 200 | 206 {
  if (total === undefined) return 200;
  if (offset > total) {
    throw new GatewayError(416, 'PGRST103', 'Requested range not satisfiable', {
      details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
      headers: { 'content-range': `*/${total}` },
    });
  }
  return shown < total ? 206 : 200;
}
