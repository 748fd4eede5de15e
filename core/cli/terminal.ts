import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { styleText } from 'node:util';
import type { Dispose } from '../base/clock.ts';

const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
const eraseDown = '\u001B[0J';

/**
 * Lines pinned to the bottom of a terminal, which change in place while other output scrolls above. Each method
 * returns the escape sequences for the change.
 */
export class PinnedLines {
  #lines: readonly string[] = [];

  /** Replaces the lines; an empty list removes them. Lines must not be wider than the terminal. */
  replace(lines: readonly string[]): string {
    const before = this.#lines;
    this.#lines = lines;
    const cursor = before.length === 0 && lines.length > 0 ? hideCursor : '';
    const end = before.length > 0 && lines.length === 0 ? showCursor : '';
    return cursor + erase(before) + this.#text() + end;
  }

  /** Prints text above the lines; the text must end with a newline. */
  printAbove(text: string): string {
    return erase(this.#lines) + text + this.#text();
  }

  get shown(): boolean {
    return this.#lines.length > 0;
  }

  #text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }
}

const erase = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\u001B[${lines.length}F${eraseDown}`;

/** Styles of the command line; Node's `styleText` knows their codes. */
export type Paint = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'gray';

/** An output stream of the terminal. All output of the command line goes through a channel. */
export interface Channel {
  readonly isTty: boolean;
  /** Columns of the terminal. Default: 80. */
  readonly columns: number;
  readonly rows: number;
  /** Whether the reader has closed (`| head`); later writes do nothing. */
  readonly closed: boolean;
  /** Write error, for example of a file on a full disk. */
  readonly failure: Error | undefined;
  /** Writes data. Resolves when the stream can take more. Text appears above pinned lines. */
  write(data: string | Uint8Array): Promise<void>;
  /** Pins lines to the bottom of a terminal and replaces earlier ones; an empty list removes them. */
  pin(lines: readonly string[]): void;
  /** Returns the string in this style, or unchanged if colour is off. */
  paint(paint: Paint, text: string): string;
  /** Calls back once when the reader closes. */
  onClosed(listener: () => void): Dispose;
  /** Resolves when all output has been written. */
  flush(): Promise<void>;
}

/** Output of the command line: data on `stdout`, messages for people on `stderr`. */
export interface Terminal {
  readonly stdout: Channel;
  readonly stderr: Channel;
  /** Whether prompts are possible: both input and output are a terminal. */
  readonly interactive: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Targets of the two channels. */
export interface OutputStreams {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

const processStreams = (): OutputStreams => ({
  stdout: { isTty: isatty(1), open: () => process.stdout },
  stderr: { isTty: isatty(2), open: () => process.stderr },
});

/** @param outlets default: those of this process */
export function openTerminal(
  environment: Environment,
  noColorFlag: boolean,
  outlets: OutputStreams = processStreams(),
): Terminal {
  const stdout = openChannel(outlets.stdout, environment, noColorFlag);
  const stderr = openChannel(outlets.stderr, environment, noColorFlag);
  return {
    stdout,
    stderr,
    // Opened only for a command with a prompt.
    get interactive() {
      return process.stdin.isTTY && stderr.isTty;
    },
  };
}

/**
 * Whether to use colours. `--no-color` wins, then `FORCE_COLOR` (as in Node: `0` and `false` disable), then `NO_COLOR`
 * (any non-empty value), else a terminal that is not `dumb` has colours.
 */
export function wantsColor(environment: Environment, isTty: boolean, noColorFlag: boolean): boolean {
  if (noColorFlag) return false;
  const forced = environment['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (environment['NO_COLOR']) return false;
  return isTty && environment['TERM'] !== 'dumb';
}

const diskIsFull: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** A stream of the process, opened on demand, because opening takes a millisecond and many commands do not use both. */
interface OutputStream {
  readonly isTty: boolean;
  open(): Writable & { readonly columns?: number; readonly rows?: number };
}

function openChannel({ isTty, open }: OutputStream, environment: Environment, noColorFlag: boolean): Channel {
  const colors = wantsColor(environment, isTty, noColorFlag);
  const closing = new Set<() => void>();
  let closed = false;
  let failure: Error | undefined;
  // A closed reader (EPIPE) or terminal (EIO) is not an error.
  const onError = (error: NodeJS.ErrnoException): void => {
    closed = true;
    if (diskIsFull.has(error.code)) failure = error;
    for (const listener of [...closing]) listener();
    closing.clear();
  };
  let opened: ReturnType<OutputStream['open']> | undefined;
  const stream = (): ReturnType<OutputStream['open']> => (opened ??= open().on('error', onError));
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
    write: (data) => write(pinned.shown && typeof data === 'string' ? pinned.printAbove(data) : data),
    pin: (lines) => void write(pinned.replace(lines)),
    flush: () => settle((done) => closed || opened === undefined || (opened.write('', () => done()), false)),
    paint: (paint, text) => (colors ? styleText(paint, text, { validateStream: false }) : text),
    onClosed,
  };
}
