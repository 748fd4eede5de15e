import type { StatementResult } from '../../database/database.ts';
import { GatewayError } from '../../gateway-error.ts';
import { planColumns } from '../../plan/plan.ts';
import { readSqlHeaders, readSqlStatus } from './sql-headers.ts';
import type { GatewayResponse } from '../request.ts';

/** What the main statement of a request has given. */
export interface Outcome {
  readonly body: string | null;
  /** Rows read or written. */
  readonly shown: number;
  /** Without limit and offset; absent when nobody counted. */
  readonly total?: number;
  /** Rows that are new, of an upsert. */
  readonly inserted?: number;
  /** The primary key of the one row that was written, by column, as filters would accept it. */
  readonly key?: Readonly<Record<string, string | null>>;
  readonly headers: GatewayResponse['headers'];
  readonly status?: number;
}

/** The one row of a main statement, as it came; undefined from an engine that is broken. */
export type MainRow = Readonly<Record<(typeof planColumns)[number], string | null>>;

/** Finds the row by the names of its columns. */
export function readMainRow({ columns, rows }: StatementResult): MainRow | undefined {
  const row = rows[0];
  if (row === undefined) return undefined;
  return Object.fromEntries(
    planColumns.map((name) => [name, row[columns.indexOf(name)] ?? null]),
  ) as unknown as MainRow;
}

/**
 * Makes numbers and headers of the row; the body stays the text that it is.
 * @throws GatewayError PGRST111 or PGRST112 when SQL has set headers or a status that cannot be sent
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

/** What an outcome must be for the transaction to be kept. */
export interface Expectations {
  /** Exactly one row. */
  readonly isSingular: boolean;
  /** A PUT writes the row that its address names, and no other. */
  readonly isPut: boolean;
  /** `Prefer: max-affected`, where it is enforced. */
  readonly maxAffected?: number | undefined;
}

/** Why an outcome may not be kept; undefined when it may. */
export function findMisfit(shown: number, expected: Expectations): GatewayError | undefined {
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
