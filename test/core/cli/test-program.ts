import { PinnedLines, type Channel } from '../../../core/cli/terminal.ts';
import type { Command } from 'commander';
import type { CommandContext } from '../../../core/cli/command-context.ts';
import { buildProgram } from '../../../core/cli/program.ts';

/** A channel that records its output, without colors. */
interface MemoryChannel extends Channel {
  readonly text: string;
}

export function openMemoryChannel(
  size: { columns?: number; rows?: number; isTty?: boolean } = {},
): MemoryChannel {
  const written: string[] = [];
  const pinned = new PinnedLines();
  return {
    isTty: size.isTty ?? false,
    columns: size.columns ?? 80,
    rows: size.rows ?? 24,
    closed: false,
    failure: undefined,
    get text() {
      return written.join('');
    },
    write(data) {
      const text = typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
      written.push(pinned.shown ? pinned.printAbove(text) : text);
      return Promise.resolve();
    },
    pin: (lines) => void written.push(pinned.replace(lines)),
    flush: () => Promise.resolve(),
    paint: (_paint, text) => text,
    onClosed: () => () => {},
  };
}

/** The whole command line, with its output recorded. */
interface TestProgram {
  readonly program: Command;
  readonly stdout: MemoryChannel;
}

/** @param context of commands; required by those that a test runs */
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
