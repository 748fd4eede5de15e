import { DatabaseError, type Statement, type StatementResult } from '../database.ts';
import { splitScript } from './split-script.ts';

/** Has a session forget the statements that it has prepared. */
export const forgetAllText = 'DEALLOCATE ALL';

/** What one script leaves behind in its session must not reach what comes next. */
export const forgetSession: readonly string[] = [
  'ROLLBACK',
  'CLOSE ALL',
  'RESET SESSION AUTHORIZATION',
  'RESET ALL',
  forgetAllText,
  'SELECT pg_advisory_unlock_all()',
  'DISCARD TEMP',
];

/**
 * Runs the statements of a script one after the other, each by itself unless the script begins a transaction; stops
 * at the first that fails, with its line in the message and its position in the script as a whole.
 */
export async function runStatements(
  sql: string,
  run: (statement: Statement) => Promise<StatementResult>,
): Promise<StatementResult[]> {
  const results: StatementResult[] = [];
  for (const { text, start } of splitScript(sql)) {
    // What newer versions of pg_dump write around a script says nothing of the database.
    if (/^\\(un)?restrict\b/.test(text)) continue;
    try {
      if (text.startsWith('\\')) throw refuseCommand(text);
      results.push(await run({ text, values: [] }));
    } catch (thrown) {
      throw thrown instanceof DatabaseError ? placeError(thrown, sql, start) : thrown;
    }
  }
  return results;
}

function placeError(error: DatabaseError, sql: string, start: number): DatabaseError {
  // PostgreSQL counts characters, JavaScript halves of some.
  const before = sql.slice(0, start);
  const position = [...before].length + (error.position ?? 1);
  const line = [...sql].slice(0, position - 1).filter((character) => character === '\n').length + 1;
  const { code, detail, hint } = error;
  return new DatabaseError(`line ${line}: ${error.message}`, { code, detail, hint, position });
}

const refuseCommand = (text: string): DatabaseError =>
  new DatabaseError(`"${text.split(/\s/, 1)[0]}" is a psql meta-command, not SQL`, {
    code: '42601',
    hint: 'Remove it, or run the script with psql on a PostgreSQL server.',
  });
