// oxlint-disable-next-line typescript/triple-slash-reference -- every project that takes in this file needs the types
/// <reference path="./node-pty.d.ts" />
import { constants } from 'node:os';
import type { IPty, spawn as SpawnPty } from 'node-pty';
import type { TerminalSize } from '../../model/workflow/step.ts';
import { signalGroup } from '../ending/kill-tree.ts';
import { tagVariable, type LaunchRequest } from '../launch/launcher.ts';
import { OutputFiles } from '../output/output-files.ts';
import { OutputRefused } from '../output/output-refused.ts';
import { beginRelay } from '../output/relayed-output.ts';
import { readPidStart } from '../living/process-table.ts';
import type { SpawnedChild, StartWatch } from '../launch/spawn.ts';
import { checkProgram } from './check-program.ts';
import { TerminalOutput } from './terminal-output.ts';

/** What the terminal can show; what the step's own environment says counts more. */
const abilities = { TERM: 'xterm-256color', COLORTERM: 'truecolor' } as const;

/**
 * Nobody types: whoever reads from the terminal finds its end, as often as this. Only Linux does not show it on the
 * terminal, so elsewhere the first reader alone gets it. Windows has no such thing.
 */
const endsOfInput: Partial<Record<NodeJS.Platform, number>> = { linux: 256, win32: 0 };

/**
 * Starts a process in a pseudo-terminal, as leader of its own session, whose terminal that is. Everything goes into
 * the log of stdout: a terminal does not tell the streams apart. Rejects with `OutputRefused`, or with what the system
 * says. On Windows the terminal is a ConPTY, which nothing here was tested with.
 */
export async function startInTerminal(
  request: LaunchRequest & { readonly terminal: TerminalSize },
  { clock, fence, onExit }: StartWatch,
): Promise<SpawnedChild> {
  checkProgram(request);
  // Loaded with its native part only where a step asks for it.
  const { spawn } = await import('node-pty');
  const files = await OutputFiles.open(request.attemptDir, request.relay, fence);
  let pty: IPty;
  try {
    pty = openTerminal(spawn, request);
  } catch (thrown) {
    await files.close();
    throw thrown;
  }
  const output = new TerminalOutput(pty, clock);
  const relay = beginRelay([output], files);
  pty.onExit(({ exitCode, signal = 0 }) =>
    onExit(signal > 0 ? { signal: nameSignal(signal) } : { exitCode }),
  );
  // With a second listener the library takes a broken terminal for its end, and throws nothing.
  pty.on('error', () => {});
  pty.write('\u0004'.repeat(endsOfInput[process.platform] ?? 1));
  const { pid } = pty;
  // Whoever lets go of a terminal closes it, which is what its processes are told.
  return { pid, pidStart: readPidStart(pid), relay, unref: () => void signalGroup(pid, 'SIGHUP') };
}

function openTerminal(
  spawn: typeof SpawnPty,
  { argv, env, cwd, attemptDir, terminal, verbatimArguments = false }: Parameters<typeof startInTerminal>[0],
): IPty {
  const [program = '', ...args] = argv;
  const isVerbatim = verbatimArguments && process.platform === 'win32';
  try {
    return spawn(program, isVerbatim ? args.join(' ') : args, {
      cwd,
      env: { ...abilities, ...env, [tagVariable]: attemptDir },
      cols: terminal.columns,
      rows: terminal.rows,
      encoding: null,
    });
  } catch (thrown) {
    throw explain(thrown as Error);
  }
}

/** The library gives no codes. */
function explain(error: Error): Error {
  if (error.message.startsWith('File not found')) return Object.assign(error, { code: 'ENOENT' });
  const message = `cannot open a pseudo-terminal (${error.message}): the limit on processes or terminals is reached, or terminals are not available; run the step without "tty"`;
  return new OutputRefused(
    { reason: 'limit_reached', message },
    // It may pass when other processes end.
    Object.assign(error, { code: 'EAGAIN' }),
  );
}

/** The name of a signal's number on this platform. */
function nameSignal(number: number): NodeJS.Signals {
  const known = Object.entries(constants.signals).find(([, each]) => each === number);
  return (known?.[0] ?? `SIG${number}`) as NodeJS.Signals;
}
