import { Option, type Command } from 'commander';
import type { ConfigFlags } from '../../../config/engine-config.ts';
import { commandNotes } from '../help-texts.ts';
import { carryOutOnHome, type ProgramHooks } from '../hooks.ts';
import { wholeNumber } from '../options.ts';

/** Adds the commands that stay and serve. */
export function addServerCommands(program: Command, hooks: ProgramHooks): void {
  addServer(program, hooks);
  addScheduler(program, hooks);
}

function addServer(program: Command, hooks: ProgramHooks): void {
  const serve = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/serving/server.ts')).runServer,
  );
  addServerOptions(program.command('server'))
    .description('serve the API and the web UI on this machine')
    .addHelpText('after', commandNotes.server)
    .action((options: ServerFlags, command: Command) => serve({ flags: readServerFlags(options) }, command));
  addServerOptions(program.command('start-all'))
    .description('serve the API and the web UI, and start workflows at their times')
    .addHelpText('after', commandNotes['start-all'])
    .action((options: ServerFlags, command: Command) =>
      serve({ flags: readServerFlags(options), schedules: true }, command),
    );
}

function addScheduler(program: Command, hooks: ProgramHooks): void {
  const schedule = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/serving/scheduler.ts')).runScheduler,
  );
  program
    .command('scheduler')
    .description('start workflows at their times')
    .option('--port <port>', 'port of the health check, 0 for none (default: 8090)', wholeNumber(0, 65_535))
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

/** What is given of the options that say how a server listens. */
export interface ServerFlags {
  readonly host?: string;
  readonly port?: number;
  readonly basePath?: string;
  readonly allowRemote?: true;
  readonly onStop?: string;
}

/** The options that say how a server listens; what they leave out, the configuration says. */
export const addServerOptions = (command: Command): Command =>
  command
    .option('-s, --host <host>', 'name or address to listen on (default: 127.0.0.1)')
    .option('-p, --port <port>', 'port, 0 for any free one (default: 8080)', wholeNumber(0, 65_535))
    .option('--base-path <path>', 'serve below this path, behind a proxy')
    .option('--allow-remote', 'let other machines reach a server that asks for no password')
    .addOption(onStopOption());

const onStopOption = (): Option =>
  new Option(
    '--on-stop <what>',
    'active runs when it ends: stop them, or leave them to the next host',
  ).choices(['stop', 'leave']);

/** Those options as they win over the configuration. */
export const readServerFlags = ({ host, port, basePath, allowRemote, onStop }: ServerFlags): ConfigFlags =>
  toFlags([
    ['server.host', '--host', host],
    ['server.port', '--port', port],
    ['server.basePath', '--base-path', basePath],
    ['server.allowRemote', '--allow-remote', allowRemote],
    ['server.onStop', '--on-stop', onStop],
  ]);

/** Options that were given, as they win over the configuration. */
export const toFlags = (
  given: readonly (readonly [path: string, name: string, value: string | number | boolean | undefined])[],
): ConfigFlags =>
  Object.fromEntries(
    given.flatMap(([path, name, value]) =>
      value === undefined ? [] : [[path, { name, text: String(value) }]],
    ),
  );
