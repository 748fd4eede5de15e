import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pluralize } from '../../../base/text/pluralize.ts';
import { exitCodes } from '../../../base/error-codes.ts';
import { AppError } from '../../../base/errors.ts';
import { formatFsError } from '../../../base/text/format-fs-error.ts';
import { stripBom } from '../../../base/text/strip-bom.ts';
import type { StatementResult } from '../../../gateway/database/database.ts';
import { type CommandContext, printJson, printLines, type ResultFormat } from '../../command-context.ts';
import { oneLine } from '../../report/plain-text.ts';
import { formatTable } from '../../report/table.ts';
import { withDatabase } from './with-database.ts';

export interface PsqlInput extends ResultFormat {
  /** `-` for stdin. */
  readonly file?: string;
  /** SQL on the command line. */
  readonly command?: string;
}

/** Runs a script on the gateway's database. */
export async function runPsql(context: CommandContext, input: PsqlInput): Promise<number> {
  const sql = await readScript(context, input);
  const results = await withDatabase(context, (database) => database.runScript(sql));
  if (input.format === 'json') await printJson(context, { results: results.map(toJson) });
  else for (const result of results) await printLines(context, describe(result));
  return exitCodes.success;
}

async function readScript(context: CommandContext, { file, command }: PsqlInput): Promise<string> {
  if (file !== undefined && command !== undefined)
    throw new AppError('bad_request', 'Options --file and --command cannot be used together.');
  if (command !== undefined) return command;
  if (file !== undefined && file !== '-') return readText(path.resolve(context.cwd, file), file);
  if (file === undefined && context.terminal.interactive)
    throw new AppError(
      'bad_request',
      'No SQL specified. Use --file FILE or pipe the SQL to standard input.',
      {
        details: { hint: `engine gateway psql --command 'select now()'` },
      },
    );
  return readStdin();
}

async function readText(file: string, named: string): Promise<string> {
  try {
    return stripBom(await readFile(file, 'utf8'));
  } catch (error) {
    throw new AppError('not_found', `Cannot read ${named}: ${formatFsError(error)}`, {
      cause: error,
    });
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const part of process.stdin as AsyncIterable<Buffer>) chunks.push(part);
  return stripBom(Buffer.concat(chunks).toString('utf8'));
}

const toJson = ({ columns, rows, affected }: StatementResult): object => ({ columns, rows, affected });

function describe({ columns, rows, affected }: StatementResult): string[] {
  if (columns.length === 0) return affected > 0 ? [`${pluralize(affected, 'row')} affected`] : [];
  const cells = rows.map((row) => row.map((cell) => (cell === null ? 'NULL' : oneLine(cell) || `''`)));
  return [...formatTable(columns, cells), `(${pluralize(rows.length, 'row')})`];
}
