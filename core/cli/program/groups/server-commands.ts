import { Option, type Command } from 'commander';
import type { ConfigFlags } from '../../../config/engine-config.ts';
import { commandNotes } from '../help-texts.ts';
import { runLocalCommand, type ProgramHooks } from '../hooks.ts';
import { wholeNumber } from '../options.ts';

/** Adds the long-running server commands. */
export function addServerCommands(program: Command, hooks: ProgramHooks): void {
  addServer(program, hooks);
  addScheduler(program, hooks);
}

function addServer(program: Command, hooks: ProgramHooks): void {
  const serve = runLocalCommand(
    hooks,
    async () => (await import('../../commands/serving/server.ts')).runServer,
  );
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
  const schedule = runLocalCommand(
    hooks,
    async () => (await import('../../commands/serving/scheduler.ts')).runScheduler,
  );
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
