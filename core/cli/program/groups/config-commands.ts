import type { Command } from 'commander';
import type { OutputFormat } from '../../command-context.ts';
import { runLocalCommand, type ProgramHooks } from '../hooks.ts';
import { formatOption } from '../options.ts';
import { addServerOptions, readServerFlags, type ServerFlags } from './server-commands.ts';

const notes = {
  show: `
Examples:
  engine config show
  engine config show --port 9000          settings as used by engine server --port 9000
  engine config show --format json | jq '.values[] | select(.origin.kind != "default")'

Order of precedence: command-line option, environment variable, configuration file, default.
Secrets are shown as ********. Exit code: 5 if the configuration has errors.`,
  path: `
Example:
  "\${EDITOR:-vi}" "$(engine config path)"

The file is optional unless set with --config or ENGINE_CONFIG.`,
};

/** Adds the configuration commands. */
export function addConfigCommands(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/config.ts');
  const show = runLocalCommand(hooks, async () => (await load()).runConfigShow);
  const tellPath = runLocalCommand(hooks, async () => (await load()).runConfigPath);
  const config = program.command('config').description('Show the configuration');
  addServerOptions(config.command('show', { isDefault: true }))
    .description('Show all settings and where each value is set')
    .addOption(formatOption())
    .addHelpText('after', notes.show)
    .action(({ format, ...options }: ServerFlags & { format: OutputFormat }, command: Command) =>
      show({ format, flags: readServerFlags(options) }, command),
    );
  config
    .command('path')
    .description('Print the path of the configuration file')
    .addOption(formatOption())
    .addHelpText('after', notes.path)
    .action((options: { format: OutputFormat }, command: Command) => tellPath(options, command));
}
