import type { Command, CommanderError } from 'commander';
import { AppError } from '../base/errors.ts';
import { findNearest } from '../base/text.ts';
import { findSubcommand } from './command-names.ts';

/**
 * Converts a commander error to an error with a hint: `error: unknown option '--x'` and, on a second line, `(Did you
 * mean --y?)`.
 * @param args of the line before `--`
 */
export function toUsageError(error: CommanderError, program: Command, args: readonly string[]): AppError {
  const { command, path, next } = findTypedCommand(program, args);
  const named = ['engine', ...path].join(' ');
  const usageError = (message: string, hint: string): AppError =>
    new AppError('bad_request', message, { details: { hint } });
  if (error.code === 'commander.help')
    return usageError('Missing subcommand.', `Run "${named} --help" to see all subcommands.`);
  if (error.code === 'commander.excessArguments' && command.commands.length > 0 && next !== undefined) {
    const nearest = findNearest(
      next,
      command.commands.map((each) => each.name()),
    );
    return usageError(
      `Unknown command "${next}" of "${named}".`,
      nearest === undefined
        ? `Run "${named} --help" to see all subcommands.`
        : `Did you mean "${named} ${nearest}"?`,
    );
  }
  if (command.name() === 'exec' && next !== undefined && error.code !== 'commander.invalidArgument')
    return usageError(formatMessage(error), `Put the command after --, for example: engine exec -- ${next}`);
  const [, second] = error.message.split('\n');
  return usageError(
    formatMessage(error),
    second?.replace(/^\((.*)\)$/, '$1') ?? `Run "${named} --help" to see the usage.`,
  );
}

/** Returns the message of Commander as a sentence. */
function formatMessage({ message }: CommanderError): string {
  const sentence = message
    .split('\n')[0]!
    .replace(/^error: /, '')
    .replace(/^command-argument value/, 'value');
  return `${sentence[0]!.toUpperCase()}${sentence.slice(1)}${/[.?!]$/.test(sentence) ? '' : '.'}`;
}

interface TypedCommand {
  readonly command: Command;
  /** Words of the command name. */
  readonly path: readonly string[];
  /** The next word that is not an option. */
  readonly next: string | undefined;
}

/** Returns the command of a line, as far as its words match. */
function findTypedCommand(program: Command, args: readonly string[]): TypedCommand {
  let command = program;
  const path: string[] = [];
  const names = args.filter((word) => !word.startsWith('-'));
  for (const word of names) {
    const inner = findSubcommand(command, word);
    // Option values may precede the first command.
    if (inner === undefined && command === program) continue;
    if (inner === undefined) return { command, path, next: word };
    command = inner;
    path.push(word);
  }
  return { command, path, next: undefined };
}
