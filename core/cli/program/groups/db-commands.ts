import type { Command } from 'commander';
import { runLocalCommand, type ProgramHooks } from '../hooks.ts';
import { formatOption } from '../options.ts';

const notes = `
Examples:
  engine db check
  engine db copy --to postgres://stepwright@db.example/stepwright
  ENGINE_DATABASE_URL=postgres://stepwright@db.example/stepwright engine db migrate
  engine db copy --from postgres://stepwright@db.example/stepwright --to engine.db`;

/** Adds the database commands. */
export function addDbCommands(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/maintenance/db.ts');
  const migrate = runLocalCommand(hooks, async () => (await load()).runDbMigrate);
  const check = runLocalCommand(hooks, async () => (await load()).runDbCheck);
  const copy = runLocalCommand(hooks, async () => (await load()).runDbCopy);
  const db = program
    .command('db')
    .description('Create, check and copy the database of the home')
    .addHelpText('after', notes);
  db.command('migrate')
    .description('Create the database or migrate its schema')
    .addOption(formatOption())
    .action((options, command: Command) => migrate(options, command));
  db.command('check')
    .description('Check the database for damage')
    .addOption(formatOption())
    .action((options, command: Command) => check(options, command));
  db.command('copy')
    .description('Copy all data to an empty database and verify the copy')
    .requiredOption('--to <place>', 'Target: SQLite file or PostgreSQL URL')
    .option('--from <place>', 'Source: SQLite file or PostgreSQL URL. Default: the database of the home.')
    .addOption(formatOption())
    .action((options, command: Command) => copy(options, command));
}
