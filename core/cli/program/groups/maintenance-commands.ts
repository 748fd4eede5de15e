import { Option, type Command } from 'commander';
import { carryOutOnHome, type ProgramHooks } from '../hooks.ts';
import { collectStatuses, formatOption, wholeNumber } from '../options.ts';

const notes = {
  cleanup: `
Examples:
  engine cleanup etl --retention-days 30 --dry-run   only say what would go
  engine cleanup etl --keep 100 --yes                all ended runs but the newest hundred
  engine cleanup etl --status failed,aborted --retention-days 7

A run goes when everything given lets it go; without --retention-days, --keep and --status all ended runs do.
Active runs never go. Sub-runs and logs go with their runs.`,
  backup: `
Examples:
  engine backup                            into the current folder, with the time in its name
  engine backup /mnt/backups --logs
  engine backup before-update.tar.gz

In it are the history, the workflows, the configuration, secrets in files, the embedded database of the gateway and
whatever else lies in the home; the logs of the runs only with --logs. The file is readable by you alone and appears when it is complete.`,
  restore: `
Examples:
  engine restore stepwright-20260101T120000Z.tar.gz
  engine restore before-update.tar.gz --engine-home /srv/copy
  engine restore before-update.tar.gz --force

Every file is compared with its checksum before anything changes. Runs that were under way when the backup was made
count as aborted afterwards. Close the app and all servers of the home first.`,
  check: `
Example:
  engine check

Reads the whole database, also while it is in use. Exit code: 0 when it is sound, 5 when it is damaged.`,
  salvage: `
Example:
  engine salvage

For a home without a backup. Reads the damaged database table by table and, around unreadable places, row by row.
Runs that were under way count as aborted afterwards. Close the app and all servers of the home first.`,
  migrate: `
Examples:
  engine migrate history --dry-run
  engine migrate history --data-dir /srv/old/history

Reads the folders with one JSON file for each run, adds the runs to the history of the home with copies of their logs,
then moves those folders to history_migrated_<time> beside them. It may be interrupted and run again.`,
} as const;

const yesOption = (): Option => new Option('-y, --yes', 'do not ask').default(false);

/** Adds the commands that look after a home. */
export function addMaintenanceCommands(program: Command, hooks: ProgramHooks): void {
  addCleanup(program, hooks);
  addBackup(program, hooks);
  addRestore(program, hooks);
  addCheck(program, hooks);
  addSalvage(program, hooks);
  addMigrate(program, hooks);
}

function addCleanup(program: Command, hooks: ProgramHooks): void {
  const cleanup = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/upkeep/cleanup.ts')).runCleanup,
  );
  program
    .command('cleanup')
    .description('remove ended runs of a workflow, with their logs')
    .argument('<DAG>', 'YAML file, or name of a workflow')
    .option('--retention-days <days>', 'only runs that ended longer ago', wholeNumber(0, 36_500))
    .option('--keep <count>', 'not the newest ones, this many', wholeNumber(0, 1_000_000))
    .addOption(
      new Option('--status <status>', 'only these, separated by commas')
        .argParser(collectStatuses)
        .default([]),
    )
    .option('--orphans', 'also log folders that belong to no run', false)
    .option('--dry-run', 'only say what would go', false)
    .addOption(yesOption())
    .addOption(formatOption())
    .addHelpText('after', notes.cleanup)
    .action((dag: string, { status, ...options }, command: Command) =>
      cleanup({ dag, statuses: status, ...options }, command),
    );
}

function addBackup(program: Command, hooks: ProgramHooks): void {
  const backup = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/upkeep/backup.ts')).runBackup,
  );
  program
    .command('backup')
    .description('write the home into one file, also while it is in use')
    .argument('[FILE]', 'file to write, or folder for it (default: the current folder)')
    .option('--logs', 'with the logs of all runs', false)
    .option('--no-gateway', 'without the embedded database of the gateway')
    .addOption(formatOption())
    .addHelpText('after', notes.backup)
    .action((target: string | undefined, options, command: Command) =>
      backup({ target, ...options }, command),
    );
}

function addRestore(program: Command, hooks: ProgramHooks): void {
  const restore = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/upkeep/restore.ts')).runRestore,
  );
  program
    .command('restore')
    .description('make a home of a backup')
    .argument('<BACKUP>', 'file that engine backup has written')
    .option('--force', 'in the place of a home that holds something; it is kept beside', false)
    .addOption(formatOption())
    .addHelpText('after', notes.restore)
    .action((file: string, options, command: Command) => restore({ backup: file, ...options }, command));
}

function addCheck(program: Command, hooks: ProgramHooks): void {
  const check = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/workflows/check.ts')).runCheck,
  );
  program
    .command('check')
    .description('look for damage in the history')
    .addOption(formatOption())
    .addHelpText('after', notes.check)
    .action((options, command: Command) => check(options, command));
}

function addSalvage(program: Command, hooks: ProgramHooks): void {
  const salvage = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/upkeep/salvage.ts')).runSalvage,
  );
  program
    .command('salvage')
    .description('save what can be read of a damaged history')
    .option('--force', 'also when no damage is found', false)
    .addOption(yesOption())
    .addOption(formatOption())
    .addHelpText('after', notes.salvage)
    .action((options, command: Command) => salvage(options, command));
}

function addMigrate(program: Command, hooks: ProgramHooks): void {
  const history = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/upkeep/migrate-history.ts')).runMigrateHistory,
  );
  program
    .command('migrate')
    .description('take over data of earlier releases')
    .command('history')
    .description('take over the history of release 1.16')
    .option('--data-dir <dir>', 'folder with the old history (default: data in the home)')
    .option('--dry-run', 'only say what would be done', false)
    .addOption(formatOption())
    .addHelpText('after', notes.migrate)
    .action((options, command: Command) => history(options, command));
}
