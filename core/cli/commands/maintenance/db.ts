import { AppError } from '../../../base/errors.ts';
import { errorCodes, exitCodes } from '../../../base/error-codes.ts';
import { copyHomeDatabase } from '../../../maintenance/databases/copy-home-database.ts';
import { locationOfHome, parseLocation } from '../../../maintenance/databases/database-location.ts';
import { checkHome } from '../../../maintenance/check-home.ts';
import { openHome } from '../../../maintenance/open-home.ts';
import { prepareHomePaths } from '../../home-locations.ts';
import { type CommandContext, printJson, printLines, type ResultFormat } from '../../command-context.ts';
import { formatTable } from '../../report/table.ts';

/** Creates the home's database or migrates its schema. */
export async function runDbMigrate(context: CommandContext, { format }: ResultFormat): Promise<number> {
  const store = openHome(await prepareHomePaths(context));
  try {
    const { name } = store;
    const { version } = store.storage();
    if (format === 'json') await printJson(context, { database: name, version });
    else await printLines(context, [`${name} has schema version ${version} (current)`]);
    return exitCodes.success;
  } finally {
    store.close();
  }
}

/** Checks the home's database for corruption. Throws `database_corrupt` after printing all errors. */
export async function runDbCheck(context: CommandContext, { format }: ResultFormat): Promise<number> {
  const { database, findings } = checkHome(await prepareHomePaths(context));
  const isSound = findings.length === 0;
  if (format === 'json') {
    await printJson(context, { database, isSound, findings });
    return isSound ? exitCodes.success : errorCodes.database_corrupt.exit;
  }
  await printLines(context, isSound ? [`No damage found in ${database}.`] : findings);
  if (isSound) return exitCodes.success;
  throw new AppError('database_corrupt', `Database ${database} is damaged.`);
}

export interface DbCopyInput extends ResultFormat {
  /** A file or a server URL. Default: the home's database. */
  readonly from?: string;
  readonly to: string;
}

/** Copies a database into an empty one of either kind, and compares both. */
export async function runDbCopy(context: CommandContext, input: DbCopyInput): Promise<number> {
  const { from, to, format } = input;
  const source =
    from === undefined ? locationOfHome(await prepareHomePaths(context)) : parseLocation(from, context.cwd);
  const copy = copyHomeDatabase(source, parseLocation(to, context.cwd), context.clock.now());
  if (format === 'json') {
    await printJson(context, copy);
    return exitCodes.success;
  }
  const rows = copy.tables.map(({ name, rows: count, sha256 }) => [name, String(count), sha256.slice(0, 16)]);
  await printLines(context, formatTable(['TABLE', 'ROWS', 'SHA-256'], rows, ['ROWS']));
  await context.terminal.stderr.write(
    `Copied ${copy.from} to ${copy.to}. Row counts and hashes of all tables match.\n`,
  );
  return exitCodes.success;
}
