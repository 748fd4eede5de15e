import { DatabaseError, type Statement, type StatementResult } from '../../store/sql/database.ts';
import { splitScript } from '../../store/sql/split-script.ts';

/** SQL that discards all prepared statements of a session. */
export const deallocateAll = 'DEALLOCATE ALL';

/** Resets the session, so that a script does not affect later statements. */
export const forgetSession: readonly string[] = [
  'ROLLBACK',
  'CLOSE ALL',
  'RESET SESSION AUTHORIZATION',
  'RESET ALL',
  deallocateAll,
  'SELECT pg_advisory_unlock_all()',
  'DISCARD TEMP',
];

/**
 * Runs the statements of a script one by one, each in its own transaction unless the script begins one. Stops at the
 * first error, which contains the line and the position in the script.
 */
export async function runStatements(
  sql: string,
  run: (statement: Statement) => Promise<StatementResult>,
): Promise<StatementResult[]> {
  const results: StatementResult[] = [];
  for (const { text, start } of splitScript(sql)) {
    // Newer versions of pg_dump wrap scripts in these psql commands.
    if (/^\\(un)?restrict\b/.test(text)) continue;
    try {
      if (text.startsWith('\\')) throw metaCommandError(text);
      results.push(await run({ text, values: [] }));
    } catch (error) {
      throw error instanceof DatabaseError ? withStatementPosition(error, sql, start) : error;
    }
  }
  return results;
}

function withStatementPosition(error: DatabaseError, sql: string, start: number): DatabaseError {
  // PostgreSQL counts code points, JavaScript counts UTF-16 code units.
  const before = sql.slice(0, start);
  const position = [...before].length + (error.position ?? 1);
  const line = [...sql].slice(0, position - 1).filter((character) => character === '\n').length + 1;
  const { code, detail, hint } = error;
  return new DatabaseError(`line ${line}: ${error.message}`, { code, detail, hint, position });
}

const metaCommandError = (text: string): DatabaseError =>
  new DatabaseError(`"${text.split(/\s/, 1)[0]}" is a psql meta-command, not SQL`, {
    code: '42601',
    hint: 'Remove it, or run the script with psql on a PostgreSQL server.',
  });
