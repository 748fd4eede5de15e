import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import type { Terminal } from '../terminal.ts';

/** Options that every command takes. */
export interface GlobalOptions {
  readonly engineHome?: string;
  /** A configuration file other than that of the home. */
  readonly config?: string;
}

/** What the commands are built on. */
export interface ProgramHooks {
  readonly terminal: Terminal;
  /** Arguments after `--`. */
  readonly words: readonly string[];
  contextFor(globals: GlobalOptions): CommandContext;
  setExitCode(code: number): void;
}

/** Wraps the work of a command: gives it its context and keeps its exit code. */
export const carryOut =
  <Input>(
    hooks: ProgramHooks,
    load: () => Promise<(context: CommandContext, input: Input) => Promise<number>>,
  ) =>
  async (input: Input, command: Command): Promise<void> => {
    const run = await load();
    hooks.setExitCode(await run(hooks.contextFor(command.optsWithGlobals()), input));
  };
