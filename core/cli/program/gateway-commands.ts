import type { Command } from 'commander';
import { carryOutOnHome, type ProgramHooks } from './hooks.ts';
import { formatOption } from './options.ts';

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
  mkdir -p HOME/data/gateway/pgdata && tar -xzf gateway.tar.gz -C HOME/data/gateway/pgdata

The second line puts one back, into a home whose embedded database has been moved away, while nothing has it open.
For a PostgreSQL server use pg_dump.`,
} as const;

/** Adds the commands about the database gateway. */
export function addGatewayCommands(program: Command, hooks: ProgramHooks): void {
  const gateway = program
    .command('gateway')
    .description('look after the database of the gateway')
    .addHelpText('after', notes.gateway);
  const status = carryOutOnHome(
    hooks,
    async () => (await import('../commands/gateway/status.ts')).runGatewayStatus,
  );
  gateway
    .command('status', { isDefault: true })
    .description('say which database it is, and what of it is shown')
    .addOption(formatOption())
    .action((options, command: Command) => status(options, command));
  const psql = carryOutOnHome(hooks, async () => (await import('../commands/gateway/psql.ts')).runPsql);
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
    async () => (await import('../commands/gateway/reload.ts')).runGatewayReload,
  );
  gateway
    .command('reload')
    .description('have running gateways read its schema anew')
    .option('--automatic', 'and after each change of it from now on, by event triggers: takes a superuser')
    .addOption(formatOption())
    .action((options, command: Command) => reload(options, command));
  const backup = carryOutOnHome(
    hooks,
    async () => (await import('../commands/gateway/backup.ts')).runGatewayBackup,
  );
  gateway
    .command('backup')
    .description('write the embedded database into one file, also while it is in use')
    .argument('<FILE>', 'file to write')
    .addOption(formatOption())
    .addHelpText('after', notes.backup)
    .action((target: string, options, command: Command) => backup({ target, ...options }, command));
}
