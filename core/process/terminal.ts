// oxlint-disable-next-line typescript/triple-slash-reference -- every project that takes in this file needs the types
/// <reference path="./node-pty.d.ts" />
import { constants } from 'node:os';
import { Readable } from 'node:stream';
import { accessSync, constants as constantsOfCheckProgram, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import type { IPty, spawn as SpawnPty } from 'node-pty';
import type { TerminalSize } from '../model/step.ts';
import type { Clock } from '../base/clock.ts';
import { signalGroup, processExists } from './kill.ts';
import { tagVariable, type LaunchRequest } from './launcher.ts';
import { OutputFiles } from './output-files.ts';
import { OutputOpenError } from './launch-failure.ts';
import { beginRelay } from './relayed-output.ts';
import { readPidStart } from './process-table.ts';
import type { SpawnedChild, StartWatch } from './spawn.ts';

/** Capabilities of the terminal; the step's own environment overrides them. */
const abilities = { TERM: 'xterm-256color', COLORTERM: 'truecolor' } as const;

/**
 * End-of-input characters to write, because there is no keyboard input. Only Linux does not echo them, so on other
 * systems only the first reader gets one. Windows has no such character.
 */
const inputEndsByPlatform: Partial<Record<NodeJS.Platform, number>> = { linux: 256, win32: 0 };

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
  pty.write('\u0004'.repeat(inputEndsByPlatform[process.platform] ?? 1));
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

/** How often to check whether a process is alive while its output is not read, in milliseconds. */
const pollIntervalMs = 50;

/**
 * The output of a process to its terminal, as the process wrote it: the terminal converts each `\n` to `\r\n`, and this
 * converts it back, so that a log has the same lines with and without a terminal and secrets with several lines are
 * recognized.
 */
export class TerminalOutput extends Readable {
  readonly #pty: IPty;
  readonly #clock: Clock;
  /** A `\r` at the end of a chunk: the `\n` may be in the next one. */
  #held = '';
  #isPaused = false;

  constructor(pty: IPty, clock: Clock) {
    super();
    this.#pty = pty;
    this.#clock = clock;
    pty.onData((chunk: string | Uint8Array) => this.#take(chunk));
    pty.onExit(() => {
      if (this.#held !== '') this.push(Buffer.from(this.#held, 'latin1'));
      this.push(null);
    });
  }

  override _read(): void {
    this.#resume();
  }

  /** Does nothing: the terminal keeps the event loop alive, not this stream. */
  unref(): void {}

  #take(chunk: string | Uint8Array): void {
    // One character per byte, whatever the encoding.
    const text = this.#held + Buffer.from(chunk as Uint8Array).toString('latin1');
    this.#held = text.endsWith('\r') ? '\r' : '';
    const completeText = text.slice(0, text.length - this.#held.length).replaceAll('\r\n', '\n');
    if (completeText === '' || this.push(Buffer.from(completeText, 'latin1')) || this.#isPaused) return;
    this.#isPaused = true;
    this.#pty.pause();
    this.#poll();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#pty.resume();
  }

  /**
   * Checks whether the process is alive. The library closes the terminal a moment after the process has ended, read or
   * not; the remaining output is small and is read at once.
   */
  #poll(): void {
    this.#clock.after(pollIntervalMs, () => {
      if (!this.#isPaused) return;
      if (processExists(this.#pty.pid)) this.#poll();
      else this.#resume();
    });
  }
}

/**
 * Throws the system error that a start would produce when the program cannot be started: with a pseudo-terminal only
 * the new process finds out, and it can only print the error and exit with code 1.
 */
function checkProgram({ argv, env, cwd }: Pick<LaunchRequest, 'argv' | 'env' | 'cwd'>): void {
  const texts = [...argv, ...Object.entries(env).flat()];
  if (texts.some((text) => text.includes('\0')))
    throw launchError('EINVAL', 'an argument or variable contains a NUL byte');
  // On Windows, the library checks this itself and throws.
  if (process.platform === 'win32') return;
  const [program = ''] = argv;
  const folders = program.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter);
  let errorCode: 'ENOENT' | 'EACCES' = 'ENOENT';
  for (const folder of folders) {
    const verdict = judge(resolve(cwd, folder, program));
    if (verdict === 'executable') return;
    if (verdict === 'file') errorCode = 'EACCES';
  }
  throw launchError(errorCode, `${errorCode}: ${program}`);
}

function judge(path: string): 'executable' | 'file' | 'nothing' {
  if (statSync(path, { throwIfNoEntry: false, bigint: false })?.isFile() !== true) return 'nothing';
  try {
    accessSync(path, constantsOfCheckProgram.X_OK);
    return 'executable';
  } catch {
    return 'file';
  }
}

const launchError = (code: string, message: string): NodeJS.ErrnoException =>
  Object.assign(new Error(message), { code });
