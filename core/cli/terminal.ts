import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { styleText } from 'node:util';
import type { Dispose } from '../base/clock.ts';
import { PinnedLines } from './pinned-lines.ts';

/** Colours and weights that the command line uses; `styleText` of Node knows their codes. */
export type Paint = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'gray';

/** One stream of the terminal. Everything that the command line writes goes through one of these. */
export interface Channel {
  readonly isTty: boolean;
  /** Characters a line; 80 when unknown. */
  readonly columns: number;
  readonly rows: number;
  /** True once the reader has gone away (`| head`); writing is harmless and does nothing from then on. */
  readonly closed: boolean;
  /** Why it takes nothing more, when it is a file whose disk is full. */
  readonly failure: Error | undefined;
  /** Resolves when the stream can take more. Text passes above pinned lines. */
  write(data: string | Uint8Array): Promise<void>;
  /** Keeps lines at the bottom of a terminal, in place of those pinned before; none takes them away. */
  pin(lines: readonly string[]): void;
  /** The text in this colour, or unchanged where colour is off. */
  paint(paint: Paint, text: string): string;
  /** Calls back once when the reader goes away. */
  onClosed(listener: () => void): Dispose;
  /** Resolves when everything written has left the process. */
  flush(): Promise<void>;
}

/** Where the command line speaks: data to `stdout`, everything meant for a person to `stderr`. */
export interface Terminal {
  readonly stdout: Channel;
  readonly stderr: Channel;
  /** Whether a person can be asked: keyboard and screen are both there. */
  readonly interactive: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the two channels of a terminal lead. */
export interface Outlets {
  readonly stdout: Outlet;
  readonly stderr: Outlet;
}

const processOutlets = (): Outlets => ({
  stdout: { isTty: isatty(1), open: () => process.stdout },
  stderr: { isTty: isatty(2), open: () => process.stderr },
});

/** @param outlets default: those of this process */
export function openTerminal(
  environment: Environment,
  noColorFlag: boolean,
  outlets: Outlets = processOutlets(),
): Terminal {
  const stdout = openChannel(outlets.stdout, environment, noColorFlag);
  const stderr = openChannel(outlets.stderr, environment, noColorFlag);
  return {
    stdout,
    stderr,
    // Opened only for a command that asks something.
    get interactive() {
      return process.stdin.isTTY && stderr.isTty;
    },
  };
}

/**
 * Whether to colour. `--no-color` wins, then `FORCE_COLOR` (as Node reads it: `0` and `false` switch off),
 * then `NO_COLOR` (any text), else a terminal that is not `dumb` gets colours.
 */
export function wantsColor(environment: Environment, isTty: boolean, noColorFlag: boolean): boolean {
  if (noColorFlag) return false;
  const forced = environment['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (environment['NO_COLOR']) return false;
  return isTty && environment['TERM'] !== 'dumb';
}

const diskIsFull: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** A stream of the process. To open one takes Node a millisecond, and many a command says nothing on it. */
interface Outlet {
  readonly isTty: boolean;
  open(): Writable & { readonly columns?: number; readonly rows?: number };
}

function openChannel({ isTty, open }: Outlet, environment: Environment, noColorFlag: boolean): Channel {
  const colors = wantsColor(environment, isTty, noColorFlag);
  const closing = new Set<() => void>();
  let closed = false;
  let failure: Error | undefined;
  // A reader that has seen enough (EPIPE) or a terminal that is gone (EIO) is no failure.
  const onError = (error: NodeJS.ErrnoException): void => {
    closed = true;
    if (diskIsFull.has(error.code)) failure = error;
    for (const listener of [...closing]) listener();
    closing.clear();
  };
  let opened: ReturnType<Outlet['open']> | undefined;
  const stream = (): ReturnType<Outlet['open']> => (opened ??= open().on('error', onError));
  const onClosed = (listener: () => void): Dispose => {
    closing.add(listener);
    return () => closing.delete(listener);
  };
  const settle = (hand: (resolve: () => void) => boolean): Promise<void> =>
    new Promise((resolve) => {
      const forget = onClosed(resolve);
      const done = (): void => {
        forget();
        resolve();
      };
      if (hand(done)) done();
    });
  const pinned = new PinnedLines();
  const write = (data: string | Uint8Array): Promise<void> =>
    settle((done) => closed || stream().write(data) || !stream().once('drain', done));
  return {
    isTty,
    get columns() {
      return stream().columns || 80;
    },
    get rows() {
      return stream().rows || 24;
    },
    get closed() {
      return closed;
    },
    get failure() {
      return failure;
    },
    write: (data) => write(pinned.shown && typeof data === 'string' ? pinned.above(data) : data),
    pin: (lines) => void write(pinned.replace(lines)),
    flush: () => settle((done) => closed || opened === undefined || (opened.write('', () => done()), false)),
    paint: (paint, text) => (colors ? styleText(paint, text, { validateStream: false }) : text),
    onClosed,
  };
}
