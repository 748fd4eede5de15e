import { GatewayError } from '../../gateway-error.ts';

/** Which rows a response holds. */
export interface ShownRange {
  readonly offset: number;
  readonly shown: number;
  /** Of all rows without limit and offset; absent when not counted. */
  readonly total?: number | undefined;
}

/** `0-14/15`; `*` stands for rows or a number that there is not. */
export function formatContentRange({ offset, shown, total }: ShownRange): string {
  const rows = shown > 0 && total !== 0 ? `${offset}-${offset + shown - 1}` : '*';
  return `${rows}/${total ?? '*'}`;
}

/**
 * 206 when there are more rows than are shown, which only a count can tell.
 * @throws GatewayError PGRST103 for an offset beyond the last row
 */
export function statusOfRange({ offset, shown, total }: ShownRange): 200 | 206 {
  if (total === undefined) return 200;
  if (offset > total) {
    throw new GatewayError(416, 'PGRST103', 'Requested range not satisfiable', {
      details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
      headers: { 'content-range': `*/${total}` },
    });
  }
  return shown < total ? 206 : 200;
}
