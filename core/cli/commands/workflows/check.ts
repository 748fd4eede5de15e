import { AppError } from '../../../base/errors.ts';
import { errorCodes, exitCodes } from '../../../base/error-codes.ts';
import { checkHome } from '../../../maintenance/check-home.ts';
import { prepareHomePaths } from '../../home-locations.ts';
import { type CommandContext, type OutputFormat, printJson, printLines } from '../../command-context.ts';

export interface CheckInput {
  readonly format: OutputFormat;
}

/** Checks the home's history for corruption. Throws `database_corrupt` after printing all errors. */
export async function runCheck(context: CommandContext, { format }: CheckInput): Promise<number> {
  const { database, findings } = checkHome(await prepareHomePaths(context));
  if (format === 'json') {
    await printJson(context, { database, isSound: findings.length === 0, findings });
    return findings.length === 0 ? exitCodes.success : errorCodes.database_corrupt.exit;
  }
  await printLines(context, findings.length === 0 ? [`No damage found in ${database}.`] : findings);
  if (findings.length === 0) return exitCodes.success;
  throw new AppError('database_corrupt', `Database ${database} is damaged.`, {
    details: {
      hint: 'Run "engine restore BACKUP --force" or "engine salvage". Both keep the damaged files.',
    },
  });
}
