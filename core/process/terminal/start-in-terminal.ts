// oxlint-disable-next-line typescript/triple-slash-reference -- every project that takes in this file needs the types
/// <reference path="./node-pty.d.ts" />
import { constants } from 'node:os';
import type { IPty, spawn as SpawnPty } from 'node-pty';
import type { TerminalSize } from '../../model/workflow/step.ts';
import { signalGroup } from '../kill/kill-tree.ts';
import { tagVariable, type LaunchRequest } from '../launch/launcher.ts';
import { OutputFiles } from '../output/output-files.ts';
import { OutputOpenError } from '../output/output-refused.ts';
import { beginRelay } from '../output/relayed-output.ts';
import { readPidStart } from '../tracking/process-table.ts';
import type { SpawnedChild, StartWatch } from '../launch/spawn.ts';
import { checkProgram } from './check-program.ts';
import { TerminalOutput } from './terminal-output.ts';

/** Capabilities of the terminal; the step's own environment overrides them. */
const abilities = { TERM: 'xterm-256color', COLORTERM: 'truecolor' } as const;

/**
 * End-of-input characters to write, because there is no keyboard input. Only Linux does not echo them, so on other
 * systems only the first reader gets one. Windows has no such character.
 */
const endsOfInput: Partial<Record<NodeJS.Platform, number>> = { linux: 256, win32: 0 };

/**
 * Starts a process in a pseudo-terminal, as leader of its own session, with the terminal as its controlling terminal.
 * All output is written to the stdout log, because a terminal does not separate the streams. Rejects with
 * `OutputOpenError`, or with the system error. On Windows the terminal is a ConPTY, which is untested.
 */
export async function startInTerminal(
  request: LaunchRequest & { readonly terminal: TerminalSize },
  { clock, fence, onExit }: StartWatch,
): Promise<SpawnedChild> {
  checkProgram(request);
  // Loaded, with its native part, only when a step needs it.
  const { spawn } = await import('node-pty');
  const files = await OutputFiles.open(request.attemptDir, request.relay, fence);
  let pty: IPty;
  try {
    pty = openTerminal(spawn, request);
  } catch (error) {
    await files.close();
    throw error;
  }
  const output = new TerminalOutput(pty, clock);
  const relay = beginRelay([output], files);
  pty.onExit(({ exitCode, signal = 0 }) =>
    onExit(signal > 0 ? { signal: nameSignal(signal) } : { exitCode }),
  );
  // With a second listener the library treats a broken terminal as its end, and throws nothing.
  pty.on('error', () => {});
  pty.write('\u0004'.repeat(endsOfInput[process.platform] ?? 1));
  const { pid } = pty;
  // Detaching from a terminal closes it, which is signalled to its processes.
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
  } catch (error) {
    throw explain(error as Error);
  }
}

/** Adds a system code to an error of the library, which provides none. */
function explain(error: Error): Error {
  if (error.message.startsWith('File not found')) return Object.assign(error, { code: 'ENOENT' });
  const message = `cannot open a pseudo-terminal (${error.message}): the limit on processes or terminals is reached, or terminals are not available; run the step without "tty"`;
  return new OutputOpenError(
    { reason: 'limit_reached', message },
    // The start may succeed when other processes end.
    Object.assign(error, { code: 'EAGAIN' }),
  );
}

/** Returns the name of a signal number on this platform. */
function nameSignal(number: number): NodeJS.Signals {
  const known = Object.entries(constants.signals).find(([, value]) => value === number);
  return (known?.[0] ?? `SIG${number}`) as NodeJS.Signals;
}
