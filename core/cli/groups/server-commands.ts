import { Option, type Command } from 'commander';
import type { ConfigFlags } from '../../home/config/engine-config.ts';
import { commandNotes } from '../help-texts.ts';
import { runLocalCommand, type ProgramHooks, type OutputFormat } from '../command-context.ts';
import { wholeNumber, formatOption } from '../options.ts';
import type { ServiceInput } from '../commands/service.ts';

/** Adds the long-running server commands. */
export function addServerCommands(program: Command, hooks: ProgramHooks): void {
  addServer(program, hooks);
  addScheduler(program, hooks);
}

function addServer(program: Command, hooks: ProgramHooks): void {
  const serve = runLocalCommand(hooks, async () => (await import('../commands/server.ts')).runServer);
  addServerOptions(program.command('server'))
    .description('Start the API and web UI server')
    .addHelpText('after', commandNotes.server)
    .action((options: ServerFlags, command: Command) => serve({ flags: readServerFlags(options) }, command));
  addServerOptions(program.command('start-all'))
    .description('Start the API and web UI server and the scheduler')
    .addHelpText('after', commandNotes['start-all'])
    .action((options: ServerFlags, command: Command) =>
      serve({ flags: readServerFlags(options), schedules: true }, command),
    );
}

function addScheduler(program: Command, hooks: ProgramHooks): void {
  const schedule = runLocalCommand(hooks, async () => (await import('../commands/server.ts')).runScheduler);
  program
    .command('scheduler')
    .description('Start the scheduler')
    .option(
      '--port <port>',
      'Port of the health check, or 0 to disable it. Default: 8090.',
      wholeNumber(0, 65_535),
    )
    .addOption(onStopOption())
    .addHelpText('after', commandNotes.scheduler)
    .action(({ port, onStop }: Pick<ServerFlags, 'port' | 'onStop'>, command: Command) =>
      schedule(
        {
          flags: toFlags([
            ['scheduler.port', '--port', port],
            ['scheduler.onStop', '--on-stop', onStop],
          ]),
        },
        command,
      ),
    );
}

/** Values of the listen options. */
export interface ServerFlags {
  readonly host?: string;
  readonly port?: number;
  readonly basePath?: string;
  readonly allowRemote?: true;
  readonly onStop?: string;
}

/** Adds the listen options; omitted ones come from the configuration. */
export const addServerOptions = (command: Command): Command =>
  command
    .option('-s, --host <host>', 'Hostname or address to listen on. Default: 127.0.0.1.')
    .option('-p, --port <port>', 'Port, or 0 for any free port. Default: 8080.', wholeNumber(0, 65_535))
    .option('--base-path <path>', 'URL path prefix, for use behind a reverse proxy')
    .option('--allow-remote', 'Allow connections from other machines to a server without authentication')
    .addOption(onStopOption());

const onStopOption = (): Option =>
  new Option(
    '--on-stop <action>',
    'What to do with active runs at shutdown: stop them, or leave them for the next host.',
  ).choices(['stop', 'leave']);

/** Converts the listen options to configuration flags. */
export const readServerFlags = ({ host, port, basePath, allowRemote, onStop }: ServerFlags): ConfigFlags =>
  toFlags([
    ['server.host', '--host', host],
    ['server.port', '--port', port],
    ['server.basePath', '--base-path', basePath],
    ['server.allowRemote', '--allow-remote', allowRemote],
    ['server.onStop', '--on-stop', onStop],
  ]);

/** Returns the specified options as configuration flags. */
export const toFlags = (
  flagValues: readonly (readonly [
    path: string,
    name: string,
    value: string | number | boolean | undefined,
  ])[],
): ConfigFlags =>
  Object.fromEntries(
    flagValues.flatMap(([path, name, value]) =>
      value === undefined ? [] : [[path, { name, text: String(value) }]],
    ),
  );

const actions: Readonly<Record<ServiceInput['action'], { meaning: string; notes: string }>> = {
  install: {
    meaning: 'Install or update the background service (engine start-all)',
    notes: `
Examples:
  engine service install
  engine service install --engine-home /srv/flows     a separate service for another home

Installs a systemd user unit, a launchd agent or a Windows scheduled task. No administrator rights are needed.
The service uses this home, this configuration file, PATH and language; no other variables are passed on.`,
  },
  uninstall: {
    meaning: 'Stop and remove the service',
    notes: `
Example:
  engine service uninstall

Active runs are stopped gracefully. The home is not changed.`,
  },
  status: {
    meaning: 'Show whether the service is installed and running',
    notes: `
Example:
  engine service status --format json | jq .running`,
  },
  start: {
    meaning: 'Start the service',
    notes: `
Example:
  engine service start`,
  },
  stop: {
    meaning: 'Stop the service until the next login',
    notes: `
Example:
  engine service stop`,
  },
};

/** Adds the service commands. */
export function addServiceCommands(program: Command, hooks: ProgramHooks): void {
  const run = runLocalCommand(hooks, async () => (await import('../commands/service.ts')).runService);
  const service = program.command('service').description('Run the engine as a background service');
  for (const [action, { meaning, notes }] of Object.entries(actions)) {
    service
      .command(action)
      .description(meaning)
      .addOption(formatOption())
      .addHelpText('after', notes)
      .action(({ format }: { format: OutputFormat }, command: Command) =>
        run({ action: action as ServiceInput['action'], format }, command),
      );
  }
}
