import { Command } from 'commander';
import { programNotes } from './help-texts.ts';
import type { ProgramHooks } from './hooks.ts';
import { addReadCommands } from './read-commands.ts';
import { addRunCommands } from './run-commands.ts';

/**
 * The whole command line: options, arguments and help. Each command's work is in its own file,
 * loaded when it is chosen. Throws a `CommanderError` instead of ending the process.
 */
export function buildProgram(hooks: ProgramHooks): Command {
  const program = new Command('engine')
    .description('Run workflows (DAGs in YAML) and look at their runs.')
    .usage('[command] [options] [DAG] [-- params]')
    .option('--engine-home <dir>', 'home directory (default: $ENGINE_HOME, else the place of the platform)')
    .option('--no-color', 'no colours, whatever the terminal')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({
      writeOut: (text) => void hooks.terminal.stdout.write(text),
      // Refusals are told in one place, with the exit code (run-command-line.ts).
      writeErr() {},
      getOutHelpWidth: () => Math.min(hooks.terminal.stdout.columns, 100),
    })
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', programNotes);
  addRunCommands(program, hooks);
  addReadCommands(program, hooks);
  return program;
}
