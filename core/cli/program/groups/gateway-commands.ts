import type { Command } from 'commander';
import { carryOutOnHome, type ProgramHooks } from '../hooks.ts';
import { formatOption } from '../options.ts';

const notes = {
  gateway: `
The database is the embedded one of the home, unless gateway.databaseUrl of the configuration or
ENGINE_GATEWAY_DATABASE_URL names a PostgreSQL server. While a server of the home runs, these commands work
through it.`,
  psql: `
Examples:
  engine gateway psql -f schema.sql
  engine gateway psql --command 'select * from orders limit 5'
  cat schema.sql data.sql | engine gateway psql

Statements run one after the other until one fails; each counts by itself unless the script begins a
transaction. Commands of psql itself, which begin with a backslash, are not known, nor is COPY … FROM STDIN
(pg_dump --inserts does without).`,
  backup: `
Examples:
  engine gateway backup gateway.tar.gz
  engine gateway restore gateway.tar.gz --force

A backup of the home (engine backup) holds the embedded database, too. For a PostgreSQL server use pg_dump.`,
  restore: `
The backup is opened before anything changes. Close the app and all servers of the home first. With --force it takes
the place of a database that is there, which is kept beside as pgdata.before-restore-TIME.`,
} as const;

/** Adds the commands about the database gateway. */
export function addGatewayCommands(program: Command, hooks: ProgramHooks): void {
  const gateway = program
    .command('gateway')
    .description('look after the database of the gateway')
    .addHelpText('after', notes.gateway);
  const status = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/gateway/status.ts')).runGatewayStatus,
  );
  gateway
    .command('status', { isDefault: true })
    .description('say which database it is, and what of it is shown')
    .addOption(formatOption())
    .action((options, command: Command) => status(options, command));
  const psql = carryOutOnHome(hooks, async () => (await import('../../commands/gateway/psql.ts')).runPsql);
  gateway
    .command('psql')
    .description('run SQL on it')
    .option('-f, --file <file>', 'script to run (default: the standard input)')
    .option('--command <sql>', 'SQL to run')
    .addOption(formatOption())
    .addHelpText('after', notes.psql)
    .action((options, command: Command) => psql(options, command));
  const reload = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/gateway/reload.ts')).runGatewayReload,
  );
  gateway
    .command('reload')
    .description('have running gateways read its schema anew')
    .option('--automatic', 'and after each change of it from now on, by event triggers: takes a superuser')
    .addOption(formatOption())
    .action((options, command: Command) => reload(options, command));
  addCopies(gateway, hooks);
}

function addCopies(gateway: Command, hooks: ProgramHooks): void {
  const backup = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/gateway/backup.ts')).runGatewayBackup,
  );
  gateway
    .command('backup')
    .description('write the embedded database into one file, also while it is in use')
    .argument('<FILE>', 'file to write')
    .addOption(formatOption())
    .addHelpText('after', notes.backup)
    .action((target: string, options, command: Command) => backup({ target, ...options }, command));
  const restore = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/gateway/restore.ts')).runGatewayRestore,
  );
  gateway
    .command('restore')
    .description('put such a file in the place of the embedded database')
    .argument('<FILE>', 'file that engine gateway backup has written')
    .option('--force', 'in the place of a database that is there; it is kept beside', false)
    .addOption(formatOption())
    .addHelpText('after', notes.restore)
    .action((file: string, options, command: Command) => restore({ backup: file, ...options }, command));
}
