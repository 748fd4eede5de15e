import { Option, type Command } from 'commander';
import { runLocalCommand, type ProgramHooks } from '../command-context.ts';
import { collectStatuses, formatOption, wholeNumber } from '../options.ts';

const notes = {
  cleanup: `
Examples:
  engine cleanup etl --retention-days 30 --dry-run   show what would be deleted
  engine cleanup etl --keep 100 --yes                delete all but the newest 100 finished runs
  engine cleanup etl --status failed,aborted --retention-days 7

A run is deleted if it matches all options. Without options, all finished runs are deleted.
Active runs are never deleted. Sub-runs and logs are deleted with their runs.`,
  backup: `
Examples:
  engine backup                            write to the current directory, with a timestamp in the name
  engine backup /mnt/backups --logs
  engine backup before-update.tar.gz

The backup contains the history, workflows, configuration, secret files, the embedded gateway database and
all other files of the home. Run logs are included only with --logs. Only you can read the backup file.`,
  restore: `
Examples:
  engine restore stepwright-20260101T120000Z.tar.gz
  engine restore before-update.tar.gz --engine-home /srv/copy
  engine restore before-update.tar.gz --force

Close the app and all servers of the home first. All files are verified against their checksums before anything
changes. Runs that were active when the backup was made are marked as aborted.`,
  check: `
Example:
  engine check

Reads the whole database, even while in use. Exit codes: 0 if no damage is found, 5 if the database is damaged.`,
  salvage: `
Example:
  engine salvage

Use this only if you have no backup. Close the app and all servers of the home first. Reads the damaged database
table by table, and row by row around unreadable places. Active runs are marked as aborted.`,
  migrate: `
Examples:
  engine migrate history --dry-run
  engine migrate history --data-dir /srv/old/history

Reads the old folders (one JSON file per run), adds the runs and copies of their logs to the history of the home,
then renames the folders to history_migrated_<time>. You can interrupt the command and run it again.`,
} as const;

const yesOption = (): Option => new Option('-y, --yes', 'Skip the confirmation prompt').default(false);

/** Adds the maintenance commands. */
export function addMaintenanceCommands(program: Command, hooks: ProgramHooks): void {
  addCleanup(program, hooks);
  addBackup(program, hooks);
  addRestore(program, hooks);
  addCheck(program, hooks);
  addSalvage(program, hooks);
  addMigrate(program, hooks);
}

function addCleanup(program: Command, hooks: ProgramHooks): void {
  const cleanup = runLocalCommand(hooks, async () => (await import('../commands/cleanup.ts')).runCleanup);
  program
    .command('cleanup')
    .description('Delete finished runs of a workflow and their logs')
    .argument('<DAG>', 'YAML file or workflow name')
    .option(
      '--retention-days <days>',
      'Delete only runs that finished more than this many days ago',
      wholeNumber(0, 36_500),
    )
    .option('--keep <count>', 'Keep this many of the newest runs', wholeNumber(0, 1_000_000))
    .addOption(
      new Option('--status <status>', 'Delete only runs with these statuses (comma-separated)')
        .argParser(collectStatuses)
        .default([]),
    )
    .option('--orphans', 'Also delete log folders without a run', false)
    .option('--dry-run', 'Show what would be deleted', false)
    .addOption(yesOption())
    .addOption(formatOption())
    .addHelpText('after', notes.cleanup)
    .action((dag: string, { status, ...options }, command: Command) =>
      cleanup({ dag, statuses: status, ...options }, command),
    );
}

function addBackup(program: Command, hooks: ProgramHooks): void {
  const backup = runLocalCommand(hooks, async () => (await import('../commands/backup.ts')).runBackup);
  program
    .command('backup')
    .description('Back up the home to a file (safe while in use)')
    .argument('[FILE]', 'Output file or directory. Default: current directory.')
    .option('--logs', 'Include the logs of all runs', false)
    .option('--no-gateway', 'Exclude the embedded gateway database')
    .addOption(formatOption())
    .addHelpText('after', notes.backup)
    .action((target: string | undefined, options, command: Command) =>
      backup({ target, ...options }, command),
    );
}

function addRestore(program: Command, hooks: ProgramHooks): void {
  const restore = runLocalCommand(hooks, async () => (await import('../commands/backup.ts')).runRestore);
  program
    .command('restore')
    .description('Restore a backup')
    .argument('<BACKUP>', 'Backup file created by "engine backup"')
    .option('--force', 'Replace an existing home (the old one is kept)', false)
    .addOption(formatOption())
    .addHelpText('after', notes.restore)
    .action((file: string, options, command: Command) => restore({ backup: file, ...options }, command));
}

function addCheck(program: Command, hooks: ProgramHooks): void {
  const check = runLocalCommand(hooks, async () => (await import('../commands/workflows.ts')).runCheck);
  program
    .command('check')
    .description('Check the run history for damage')
    .addOption(formatOption())
    .addHelpText('after', notes.check)
    .action((options, command: Command) => check(options, command));
}

function addSalvage(program: Command, hooks: ProgramHooks): void {
  const salvage = runLocalCommand(hooks, async () => (await import('../commands/cleanup.ts')).runSalvage);
  program
    .command('salvage')
    .description('Recover readable data from a damaged history')
    .option('--force', 'Run even if no damage is found', false)
    .addOption(yesOption())
    .addOption(formatOption())
    .addHelpText('after', notes.salvage)
    .action((options, command: Command) => salvage(options, command));
}

function addMigrate(program: Command, hooks: ProgramHooks): void {
  const history = runLocalCommand(
    hooks,
    async () => (await import('../commands/databases.ts')).runMigrateHistory,
  );
  program
    .command('migrate')
    .description('Migrate data from earlier releases')
    .command('history')
    .description('Migrate the run history of release 1.16')
    .option('--data-dir <dir>', 'Folder with the old history. Default: data in the home.')
    .option('--dry-run', 'Show what would be migrated', false)
    .addOption(formatOption())
    .addHelpText('after', notes.migrate)
    .action((options, command: Command) => history(options, command));
}

const databaseNotes = `
Examples:
  engine db check
  engine db copy --to postgres://stepwright@db.example/stepwright
  ENGINE_DATABASE_URL=postgres://stepwright@db.example/stepwright engine db migrate
  engine db copy --from postgres://stepwright@db.example/stepwright --to engine.db`;

/** Adds the database commands. */
export function addDbCommands(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/databases.ts');
  const migrate = runLocalCommand(hooks, async () => (await load()).runDbMigrate);
  const check = runLocalCommand(hooks, async () => (await load()).runDbCheck);
  const copy = runLocalCommand(hooks, async () => (await import('../commands/copy-database.ts')).runDbCopy);
  const db = program
    .command('db')
    .description('Create, check and copy the database of the home')
    .addHelpText('after', databaseNotes);
  db.command('migrate')
    .description('Create the database or migrate its schema')
    .addOption(formatOption())
    .action((options, command: Command) => migrate(options, command));
  db.command('check')
    .description('Check the database for damage')
    .addOption(formatOption())
    .action((options, command: Command) => check(options, command));
  db.command('copy')
    .description('Copy all data to an empty database and verify the copy, or continue an interrupted copy')
    .requiredOption('--to <target>', 'Target: SQLite file or PostgreSQL URL')
    .option('--from <source>', 'Source: SQLite file or PostgreSQL URL. Default: the database of the home.')
    .addOption(formatOption())
    .action((options, command: Command) => copy(options, command));
}
