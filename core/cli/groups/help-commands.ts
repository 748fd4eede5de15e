import { type Command, Argument } from 'commander';
import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import { findSubcommand } from '../command-names.ts';
import {
  type ProgramHooks,
  runCommand,
  type GlobalOptions,
  runLocalCommand,
  type OutputFormat,
} from '../command-context.ts';
import { formatOption } from '../options.ts';
import { completionShells, type CompletionShell } from '../completion-scripts.ts';
import { commandNotes } from '../help-texts.ts';
import { addServerOptions, readServerFlags, type ServerFlags } from './server-commands.ts';

/** Adds `engine help`, whose pages contain more than `--help`: environment variables and exit codes. */
export function addHelpCommand(program: Command, { terminal, words: args }: ProgramHooks): void {
  const print = (lines: readonly string[]): void =>
    void terminal.stdout.write(lines.map((line) => `${line}\n`).join(''));
  program
    .command('help')
    .description('Show help for a command, exit-codes or environment')
    .argument('[command...]', 'Command, such as start or users create')
    .action(async (names: string[]) => {
      const { exitCodeLines, exitCodeSection } = await import('../help.ts');
      const { environmentSection } = await import('../help.ts');
      const [topic] = names;
      if (topic === 'exit-codes') return print(exitCodeLines());
      if (topic === 'environment') return print(environmentSection());
      const command = findCommand(program, [...names, ...args]);
      command.outputHelp();
      if (command === program) return;
      print(['', ...environmentSection(), '', ...exitCodeSection(command.name()), '']);
      print(['See also: docs/cli.md']);
    });
}

/** Finds a command. Throws `not_found` with the nearest name. */
function findCommand(program: Command, names: readonly string[]): Command {
  let command = program;
  for (const name of names) {
    const inner = findSubcommand(command, name);
    if (inner === undefined) {
      const known = command.commands.map((each) => each.name());
      const nearest = findNearest(name, known);
      throw new AppError('not_found', `Unknown command "${name}" of "${command.name()}".`, {
        details: nearest === undefined ? { hint: 'Run "engine help" to see all commands.' } : { nearest },
      });
    }
    command = inner;
  }
  return command;
}

/** Adds `completion`, and the command that completion scripts call. */
export function addCompletionCommands(program: Command, hooks: ProgramHooks): void {
  const completion = runCommand(hooks, async () => (await import('../commands/completion.ts')).runCompletion);
  program
    .command('completion')
    .description('Print a shell completion script')
    .addArgument(new Argument('<SHELL>', 'Shell type').choices([...completionShells]))
    .addHelpText('after', commandNotes.completion)
    .action((shell: CompletionShell, _options, command: Command) => completion(shell, command));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]', 'Words of the command line so far')
    .action(async () => {
      const { listCandidates, readTypedLine } = await import('../commands/completion.ts');
      const { runComplete } = await import('../commands/completion.ts');
      const line = readTypedLine(program, hooks.words);
      const candidates = listCandidates(program, line);
      const globals: GlobalOptions = line.globals;
      hooks.setExitCode(await runComplete(hooks.contextFor(globals), { line, candidates }));
    });
}

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
  set: `
Examples:
  engine config set history.retentionDays 90
  engine config set tz Europe/Berlin

Comments in the file stay. Keys are those of "engine config show", except for lists and maps.`,
  unset: `
Example:
  engine config unset history.retentionDays`,
};

/** Adds the configuration commands. */
export function addConfigCommands(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/config.ts');
  const show = runLocalCommand(hooks, async () => (await load()).runConfigShow);
  const printConfigPath = runLocalCommand(hooks, async () => (await load()).runConfigPath);
  const config = program.command('config').description('Show or change the configuration');
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
    .action((options: { format: OutputFormat }, command: Command) => printConfigPath(options, command));
  const change = runLocalCommand(hooks, async () => (await load()).runConfigSet);
  config
    .command('set')
    .argument('<key>', 'Key, such as history.retentionDays')
    .argument('<value>', 'New value')
    .description('Change a value in the configuration file')
    .addHelpText('after', notes.set)
    .action((key: string, value: string, _options, command: Command) => change({ key, value }, command));
  config
    .command('unset')
    .argument('<key>', 'Setting')
    .description('Remove a value from the configuration file')
    .addHelpText('after', notes.unset)
    .action((key: string, _options, command: Command) => change({ key }, command));
}

const quoteNotes = `
Examples:
  engine quote
  engine quote --name Ada
  engine quote --name "the build server" --format json | jq .nlp_attributes`;

/** Adds the quote command. */
export function addQuoteCommand(program: Command, hooks: ProgramHooks): void {
  const quote = runCommand(hooks, async () => (await import('../commands/quote.ts')).runQuote);
  program
    .command('quote')
    .description('Print a quote about the Dispatcher')
    .option('-N, --name <name>', 'Name to use in the quote')
    .addOption(formatOption())
    .addHelpText('after', quoteNotes)
    .action((options, command: Command) => quote(options, command));
}
