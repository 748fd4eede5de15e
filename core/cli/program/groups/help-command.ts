import type { Command } from 'commander';
import { AppError } from '../../../base/errors.ts';
import { findNearest } from '../../../base/text/nearest.ts';
import type { ProgramHooks } from '../hooks.ts';

/** Adds `engine help`, whose pages contain more than `--help`: environment variables and exit codes. */
export function addHelpCommand(program: Command, { terminal, words: args }: ProgramHooks): void {
  const print = (lines: readonly string[]): void =>
    void terminal.stdout.write(lines.map((line) => `${line}\n`).join(''));
  program
    .command('help')
    .description('Show help for a command, exit-codes or environment')
    .argument('[command...]', 'Command, such as start or users create')
    .action(async (names: string[]) => {
      const { exitCodeLines, exitCodeSection } = await import('../../help/exit-codes.ts');
      const { environmentSection } = await import('../../help/environment.ts');
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
    const inner = command.commands.find((each) => each.name() === name);
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
