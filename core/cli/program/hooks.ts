import type { Command } from 'commander';
import { AppError } from '../../base/errors.ts';
import type { CommandContext } from '../command-context.ts';
import type { Terminal } from '../terminal.ts';

/** Options of every command. */
export interface GlobalOptions {
  readonly engineHome?: string;
  /** A configuration file instead of the home's. */
  readonly config?: string;
  /** URL of a server to use instead of a local home. */
  readonly server?: string;
  /** API token of the server. */
  readonly token?: string;
}

/** Dependencies of the commands. */
export interface ProgramHooks {
  readonly terminal: Terminal;
  /** Arguments after `--`. */
  readonly words: readonly string[];
  contextFor(globals: GlobalOptions): CommandContext;
  setExitCode(code: number): void;
}

/** Loads the implementation of a command. */
type Load<Input> = () => Promise<(context: CommandContext, input: Input) => Promise<number>>;

/** Wraps a command: creates its context and stores its exit code. */
export const runCommand =
  <Input>(hooks: ProgramHooks, load: Load<Input>) =>
  async (input: Input, command: Command): Promise<void> => {
    const run = await load();
    hooks.setExitCode(await run(hooks.contextFor(command.optsWithGlobals()), input));
  };

/** Wraps a command that needs the files of a home and does not support `--server`. */
export const runLocalCommand =
  <Input>(hooks: ProgramHooks, load: Load<Input>) =>
  async (input: Input, command: Command): Promise<void> => {
    const context = hooks.contextFor(command.optsWithGlobals());
    if (context.server !== undefined) throw serverOptionError(command, context.server.url);
    const run = await load();
    hooks.setExitCode(await run(context, input));
  };

function serverOptionError(command: Command, url: string): AppError {
  const names = [command.name()];
  for (let above = command.parent; above?.parent; above = above.parent) names.unshift(above.name());
  return new AppError(
    'bad_request',
    `"engine ${names.join(' ')}" needs direct access to the home and cannot run through the server ${url}.`,
    {
      details: {
        hint: 'Run the command on the machine that has the home. If ENGINE_SERVER is set, use --engine-home DIR to select a local home.',
      },
    },
  );
}
