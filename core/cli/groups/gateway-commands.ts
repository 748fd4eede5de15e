import type { Command } from 'commander';
import { runLocalCommand, type ProgramHooks } from '../command-context.ts';
import { formatOption } from '../options.ts';

const notes = {
  gateway: `
The gateway uses the embedded database of the home, unless gateway.databaseUrl or
ENGINE_GATEWAY_DATABASE_URL sets a PostgreSQL server. While a server of the home is running, these commands
go through that server.`,
  psql: `
Examples:
  engine gateway psql -f schema.sql
  engine gateway psql -c 'select * from orders limit 5'
  cat schema.sql data.sql | engine gateway psql

Statements run in order until one fails. Each statement is committed separately unless the script starts a
transaction. psql meta-commands (\\d and so on) and COPY … FROM STDIN are not supported: use
"engine gateway import" for CSV files, and pg_dump --inserts.`,
  import: `
Examples:
  engine gateway import orders.csv --table orders
  gunzip -c orders.csv.gz | engine gateway import - --table sales.orders

Appends to the table by the names in the header, or creates the table with the detected types. Imports all
rows, or none if a line is rejected. Empty values are NULL.`,
  backup: `
Examples:
  engine gateway backup gateway.tar.gz
  engine gateway restore gateway.tar.gz --force

engine backup includes the embedded database, too. For a PostgreSQL server, use pg_dump.`,
  restore: `
Close the app and all servers of the home first. The backup is verified before anything changes. With --force, an
existing database is replaced and kept as pgdata.before-restore-TIME.`,
} as const;

/** Adds the gateway commands. */
export function addGatewayCommands(program: Command, hooks: ProgramHooks): void {
  const gateway = program
    .command('gateway')
    .description('Manage the gateway database')
    .addHelpText('after', notes.gateway);
  const status = runLocalCommand(
    hooks,
    async () => (await import('../commands/gateway.ts')).runGatewayStatus,
  );
  gateway
    .command('status', { isDefault: true })
    .description('Show which database the gateway uses and what it exposes')
    .addOption(formatOption())
    .action((options, command: Command) => status(options, command));
  const psql = runLocalCommand(hooks, async () => (await import('../commands/gateway.ts')).runPsql);
  gateway
    .command('psql')
    .description('Run SQL on the gateway database')
    .option('-f, --file <file>', 'SQL script to run. Default: standard input.')
    .option('-c, --command <sql>', 'SQL to run; may be repeated', (sql: string, before?: string) =>
      before === undefined ? sql : `${before};\n${sql}`,
    )
    .addOption(formatOption())
    .addHelpText('after', notes.psql)
    .action((options, command: Command) => psql(options, command));
  const load = runLocalCommand(
    hooks,
    async () => (await import('../commands/gateway-import.ts')).runGatewayImport,
  );
  gateway
    .command('import')
    .description('Import a CSV file into a table')
    .argument('<FILE>', 'CSV file. - for standard input.')
    .requiredOption('--table <name>', 'Table to append to, or to create')
    .option('--delimiter <character>', 'Delimiter of values, such as ; or tab. Default: detected.')
    .option('--no-header', 'The first line is a row')
    .addOption(formatOption())
    .addHelpText('after', notes.import)
    .action((file: string, options, command: Command) => load({ file, ...options }, command));
  const reload = runLocalCommand(
    hooks,
    async () => (await import('../commands/gateway.ts')).runGatewayReload,
  );
  gateway
    .command('reload')
    .description('Reload the database schema in running gateways')
    .option(
      '--automatic',
      'Also reload automatically after each schema change, with event triggers (requires a superuser)',
    )
    .addOption(formatOption())
    .action((options, command: Command) => reload(options, command));
  addBackupCommands(gateway, hooks);
}

function addBackupCommands(gateway: Command, hooks: ProgramHooks): void {
  const backup = runLocalCommand(
    hooks,
    async () => (await import('../commands/gateway.ts')).runGatewayBackup,
  );
  gateway
    .command('backup')
    .description('Back up the embedded database to a file (safe while in use)')
    .argument('<FILE>', 'Output file')
    .addOption(formatOption())
    .addHelpText('after', notes.backup)
    .action((target: string, options, command: Command) => backup({ target, ...options }, command));
  const restore = runLocalCommand(
    hooks,
    async () => (await import('../commands/gateway.ts')).runGatewayRestore,
  );
  gateway
    .command('restore')
    .description('Restore the embedded database from a backup')
    .argument('<FILE>', 'Backup file created by "engine gateway backup"')
    .option('--force', 'Replace an existing database (the old one is kept)', false)
    .addOption(formatOption())
    .addHelpText('after', notes.restore)
    .action((file: string, options, command: Command) => restore({ backup: file, ...options }, command));
}
