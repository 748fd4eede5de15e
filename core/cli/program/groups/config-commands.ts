import type { Command } from 'commander';
import type { OutputFormat } from '../../command-context.ts';
import { carryOutOnHome, type ProgramHooks } from '../hooks.ts';
import { formatOption } from '../options.ts';
import { addServerOptions, readServerFlags, type ServerFlags } from './server-commands.ts';

const notes = {
  show: `
Examples:
  engine config show
  engine config show --port 9000          what engine server --port 9000 would listen to
  engine config show --format json | jq '.values[] | select(.origin.kind != "default")'

What counts is, in this order: an option of the command, a variable, the configuration file, the default.
Secrets are shown as ******** where there is one. Exit code: 5 when the configuration has errors.`,
  path: `
Example:
  "\${EDITOR:-vi}" "$(engine config path)"

The file need not exist unless it was named (--config, ENGINE_CONFIG).`,
};

/** Adds the commands that say how this installation is configured. */
export function addConfigCommands(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/config.ts');
  const show = carryOutOnHome(hooks, async () => (await load()).runConfigShow);
  const tellPath = carryOutOnHome(hooks, async () => (await load()).runConfigPath);
  const config = program.command('config').description('say how this installation is configured');
  addServerOptions(config.command('show', { isDefault: true }))
    .description('show every setting that counts, and where it comes from')
    .addOption(formatOption())
    .addHelpText('after', notes.show)
    .action(({ format, ...options }: ServerFlags & { format: OutputFormat }, command: Command) =>
      show({ format, flags: readServerFlags(options) }, command),
    );
  config
    .command('path')
    .description('print the path of the configuration file')
    .addOption(formatOption())
    .addHelpText('after', notes.path)
    .action((options: { format: OutputFormat }, command: Command) => tellPath(options, command));
}
