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
export function buildTestProgram(
  words: readonly string[] = [],
  context?: Partial<CommandContext>,
): TestProgram {
  const stdout = openMemoryChannel({ columns: 100 });
  const terminal = { stdout, stderr: openMemoryChannel(), interactive: false };
  const program = buildProgram({
    terminal,
    words,
    contextFor: () => ({ terminal, ...context }) as CommandContext,
    setExitCode() {},
  });
  return { program, stdout };
}
