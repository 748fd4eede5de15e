import type { Command } from 'commander';
import type { CommandContext } from '../../../core/cli/command-context.ts';
import { buildProgram } from '../../../core/cli/program/program.ts';
import { openMemoryChannel, type MemoryChannel } from './memory-channel.ts';

/** The whole command line, with what it writes kept. */
export interface TestProgram {
  readonly program: Command;
  readonly stdout: MemoryChannel;
}

/** @param context what commands get; those that a test runs need one */
export async function buildTestProgram(
  words: readonly string[] = [],
  context?: Partial<CommandContext>,
): Promise<TestProgram> {
  const stdout = openMemoryChannel({ columns: 100 });
  const terminal = { stdout, stderr: openMemoryChannel(), interactive: false };
  const hooks = {
    terminal,
    words,
    contextFor: () => ({ terminal, ...context }) as CommandContext,
    setExitCode() {},
  };
  const program = await buildProgram(hooks, 'help');
  return { program, stdout };
}
