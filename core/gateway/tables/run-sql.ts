import { AppError } from '../../base/errors.ts';
import {
  DatabaseError,
  type GatewayDatabase,
  type Setting,
  type Statement,
  type StatementResult,
} from '../../store/sql/database.ts';
import {
  countStatements,
  cursorPrefix,
  limitRows,
  stripLeadingComments,
} from '../../store/sql/limit-rows.ts';
import { splitScript, type ScriptPart } from '../../store/sql/split-script.ts';

/** SQL typed by a person. */
export interface SqlScript {
  readonly sql: string;
  /** Rejects writes, and rolls back. */
  readonly isReadOnly: boolean;
  /** Number of rows to return of each query. */
  readonly maxRows: number;
  /** Search path of unqualified names. */
  readonly schemas: readonly string[];
  readonly timeoutMs: number;
}

/** The result of one statement. */
export interface SqlResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Number of rows of a query, up to `maxRows` and {@link maxMore} more, or of written rows. */
  readonly count: number;
  readonly isCountCapped: boolean;
}

/** Number of further rows that are counted. */
const maxMore = 100_000;
const maxStatements = 100;

/**
 * Runs SQL in one transaction.
 * @throws `bad_request` with the position of the error in the script
 */
export async function runSql(database: GatewayDatabase, script: SqlScript): Promise<SqlResult[]> {
  const parts = splitScript(script.sql);
  checkParts(parts);
  const queries = parts.map((part) => planPart(part, script));
  const results = await transact(
    database,
    script,
    queries.flatMap(({ statements }) => statements),
  );
  let at = 0;
  const own = queries.map(({ statements }) => results.slice(at, (at += statements.length)));
  const types = await readTypes(database, results);
  return queries.map(({ hasCursor }, index) => {
    const [first, fetched, moved] = own[index]!;
    const result = hasCursor ? fetched! : first!;
    const rows = result.rows.slice(0, script.maxRows);
    const more = moved?.affected ?? 0;
    return {
      columns: result.columns.map((name, column) => ({
        name,
        type: types.get(result.typeIds?.[column] ?? 0) ?? '',
      })),
      rows,
      count: hasCursor ? result.rows.length + more : Math.max(result.rows.length, result.affected),
      isCountCapped: more >= maxMore,
    };
  });
}

/** Commands that would end the transaction, or change the session for later requests. */
const transactionPattern =
  /^(begin|start\s+transaction|commit|end|rollback(?!\s+to)|abort|prepare\s+transaction)\b/i;
const sessionPattern = /^(set\s+(?!local\b|constraints\b)|reset\b|discard\b|listen\b)/i;

function checkParts(parts: readonly ScriptPart[]): void {
  if (parts.length === 0)
    throw new AppError('bad_request', 'sql: enter a statement', { details: { field: 'sql' } });
  if (parts.length > maxStatements)
    throw new AppError(
      'bad_request',
      `The SQL has ${parts.length} statements. The limit is ${maxStatements}.`,
    );
  for (const { text } of parts) {
    const bare = stripLeadingComments(text);
    const [word = ''] = bare.split(/\s/, 1);
    if (bare.startsWith('\\'))
      throw new AppError('bad_request', `${word} is a command of psql, not SQL. Remove it.`);
    if (transactionPattern.test(bare))
      throw new AppError(
        'bad_request',
        `All statements run in one transaction. Remove ${word.toUpperCase()}, or use "engine gateway psql".`,
      );
    if (sessionPattern.test(bare))
      throw new AppError(
        'bad_request',
        `${word.toUpperCase()} would affect later requests. Use SET LOCAL, or "engine gateway psql".`,
      );
  }
}

interface PlannedPart {
  readonly statements: readonly Statement[];
  readonly hasCursor: boolean;
}

/**
 * Returns the statements of a part. Blanks before it make PostgreSQL report positions in the whole script, shifted by
 * the length of {@link cursorPrefix}.
 */
function planPart({ text, start }: ScriptPart, { sql, maxRows }: SqlScript): PlannedPart {
  const blanks = ' '.repeat([...sql.slice(0, start)].length);
  const limited = limitRows({ text, values: [] }, maxRows);
  const [first, ...others] = limited.statements;
  const hasCursor = others.length > 0;
  const shifted = hasCursor ? blanks : `${' '.repeat(cursorPrefix.length)}${blanks}`;
  return {
    statements: [
      { ...first!, text: `${shifted}${first!.text}` },
      ...others,
      ...(hasCursor ? countStatements(maxMore) : []),
    ],
    hasCursor,
  };
}

async function transact(
  database: GatewayDatabase,
  { sql, isReadOnly, schemas, timeoutMs }: SqlScript,
  statements: readonly Statement[],
): Promise<readonly StatementResult[]> {
  // Sets the snapshot as well, after which SQL cannot make the transaction writable.
  const searchPath: Setting = [
    'search_path',
    schemas.map((name) => `"${name.replaceAll('"', '""')}"`).join(', '),
  ];
  try {
    return await database.transact({
      isReadOnly,
      settings: [searchPath],
      statements,
      timeoutMs,
      ...(isReadOnly && { keeps: () => false }),
    });
  } catch (error) {
    throw error instanceof DatabaseError ? describeSqlError(error, sql, timeoutMs) : error;
  }
}

/** Returns an error with the line and column of its position, and with advice. */
function describeSqlError(error: DatabaseError, sql: string, timeoutMs: number): AppError {
  const { message, code, detail, hint, position } = error;
  const at = position === null ? undefined : position - cursorPrefix.length;
  const before = at === undefined ? undefined : [...sql].slice(0, at - 1);
  const lines = before?.join('').split('\n');
  const place = lines && { position: at!, line: lines.length, column: [...lines.at(-1)!].length + 1 };
  const advice = adviceFor(code, timeoutMs) ?? hint;
  return new AppError('bad_request', message, {
    cause: error,
    details: {
      sqlstate: code,
      ...place,
      ...(detail !== null && { detail }),
      ...(advice !== null && { hint: advice }),
    },
  });
}

function adviceFor(code: string, timeoutMs: number): string | undefined {
  if (code === '25006') return 'Switch off "Read-only" to run statements that write.';
  if (code === '57014' && timeoutMs > 0) return `The limit is ${timeoutMs / 1000} s. Raise the timeout.`;
  return undefined;
}

/** Returns the names of the types of all columns by their numbers. */
async function readTypes(
  database: GatewayDatabase,
  results: readonly StatementResult[],
): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(results.flatMap(({ typeIds = [] }) => typeIds))];
  if (ids.length === 0) return new Map();
  const [names] = await database.transact({
    isReadOnly: true,
    statements: [
      {
        text: 'SELECT oid::bigint, format_type(oid, NULL) FROM pg_type WHERE oid = ANY ($1::oid[])',
        values: [`{${ids.join(',')}}`],
      },
    ],
  });
  return new Map(names!.rows.map(([id, name]) => [Number(id), name ?? '']));
}
