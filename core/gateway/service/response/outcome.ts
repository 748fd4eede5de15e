import type { StatementResult } from '../../database/database.ts';
import { GatewayError } from '../../gateway-error.ts';
import { planColumns } from '../../plan/plan.ts';
import { readSqlHeaders, readSqlStatus } from './sql-headers.ts';
import type { GatewayResponse } from '../request.ts';

/** Result of a request's main statement. */
export interface Outcome {
  readonly body: string | null;
  /** Rows read or written. */
  readonly shown: number;
  /** Total without limit and offset; absent if not counted. */
  readonly total?: number;
  /** Number of rows that an upsert inserted. */
  readonly inserted?: number;
  /** Primary key of the only written row, by column, in filter format. */
  readonly key?: Readonly<Record<string, string | null>>;
  readonly headers: GatewayResponse['headers'];
  readonly status?: number;
}

/** The result row of a main statement; undefined from a broken engine. */
export type MainRow = Readonly<Record<(typeof planColumns)[number], string | null>>;

/** Returns the result row by column names. */
export function readMainRow({ columns, rows }: StatementResult): MainRow | undefined {
  const row = rows[0];
  if (row === undefined) return undefined;
  return Object.fromEntries(
    planColumns.map((name) => [name, row[columns.indexOf(name)] ?? null]),
  ) as unknown as MainRow;
}

/**
 * Parses the numbers and headers of the row. The body stays a string.
 * @throws GatewayError PGRST111 or PGRST112 for invalid headers or an invalid status from SQL
 */
export function toOutcome(row: MainRow): Outcome {
  const { total, inserted, key } = row;
  const status = readSqlStatus(row.status);
  return {
    body: row.body,
    shown: Number(row.shown ?? 0),
    ...(total !== null && { total: Number(total) }),
    ...(inserted !== null && { inserted: Number(inserted) }),
    ...(key !== null && { key: JSON.parse(key) as Record<string, string | null> }),
    headers: readSqlHeaders(row.headers),
    ...(status !== undefined && { status }),
  };
}

/** Conditions for the commit. */
export interface Expectations {
  /** Exactly one row. */
  readonly isSingular: boolean;
  /** A PUT writes exactly the row that its URL identifies. */
  readonly isPut: boolean;
  /** `Prefer: max-affected`, if enforced. */
  readonly maxAffected?: number | undefined;
}

/** Returns why the outcome must be rolled back; undefined if it can be committed. */
export function findMismatch(shown: number, expected: Expectations): GatewayError | undefined {
  const { isSingular, isPut, maxAffected } = expected;
  if (isPut && shown !== 1) {
    return new GatewayError(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)');
  }
  if (maxAffected !== undefined && shown > maxAffected) {
    return new GatewayError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
      details: `The query affects ${shown} rows`,
    });
  }
  if (isSingular && shown !== 1) {
    return new GatewayError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
      details: `The result contains ${shown} rows`,
    });
  }
  return undefined;
}
