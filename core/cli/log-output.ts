import type { Caller, EngineApi } from '../api/engine-api.ts';
import { type Dispose, toIso } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { Logger } from '../base/logger.ts';
import { oneLine, formatClockTime } from './format.ts';
import type { Channel, Paint } from './terminal.ts';
import type { LogRef, LogChoice } from './print-logs.ts';
import type { CommandContext } from './command-context.ts';

/** Writes the bytes of one log to the output. */
interface LogWriter {
  write(bytes: Buffer): Promise<void>;
  end(): Promise<void>;
}

const labelPaints: readonly Paint[] = ['cyan', 'yellow', 'green', 'magenta', 'blue'];

/**
 * Opens a log writer: a single stream of a step is written unchanged, both streams of a step line by line, a whole run
 * with prefixes (`extract | …`, `extract ! …` for stderr, `extract#2 | …` for a second attempt).
 */
export function openLogWriter(channel: Channel, choice: LogChoice, address: LogRef): LogWriter {
  if (choice.node === undefined) return new LineWriter(channel, getLabel(channel, address));
  if (choice.streams.length > 1) return new LineWriter(channel, '');
  return { write: (bytes) => channel.write(bytes), end: () => Promise.resolve() };
}

function getLabel(channel: Channel, { step, attempt, stream }: LogRef): string {
  const name = `${oneLine(step)}${attempt > 1 ? `#${attempt}` : ''}`;
  const sum = [...step].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  const paint = labelPaints[sum % labelPaints.length] ?? 'cyan';
  return stream === 'stdout' ? channel.paint(paint, `${name} | `) : channel.paint('red', `${name} ! `);
}

const newline = 0x0a;
/** Maximum line length. Longer lines are split, so that output without line ends does not fill the memory. */
const maxLineLength = 1_048_576;

/** Writes a byte stream as whole lines with a prefix, so that lines of several streams do not mix. */
export class LineWriter {
  readonly #channel: Channel;
  readonly #prefix: Buffer;
  #partial: Buffer = Buffer.alloc(0);

  constructor(channel: Channel, prefix: string) {
    this.#channel = channel;
    this.#prefix = Buffer.from(prefix);
  }

  async write(bytes: Buffer): Promise<void> {
    const data = this.#partial.length === 0 ? bytes : Buffer.concat([this.#partial, bytes]);
    const end = data.lastIndexOf(newline) + 1;
    this.#partial = data.subarray(end);
    await this.#writeLines(data.subarray(0, end));
    if (this.#partial.length > maxLineLength) await this.end();
  }

  /** Writes an incomplete last line. */
  async end(): Promise<void> {
    const partial = this.#partial;
    this.#partial = Buffer.alloc(0);
    if (partial.length > 0) await this.#writeLines(Buffer.concat([partial, Buffer.from('\n')]));
  }

  async #writeLines(data: Buffer): Promise<void> {
    if (data.length === 0) return;
    if (this.#prefix.length === 0) return this.#channel.write(data);
    const chunks: Buffer[] = [];
    for (let start = 0; start < data.length;) {
      const end = data.indexOf(newline, start) + 1;
      chunks.push(this.#prefix, data.subarray(start, end));
      start = end;
    }
    return this.#channel.write(Buffer.concat(chunks));
  }
}

const chunkBytes = 1_048_576;

/** Reader that remembers its position in a log. */
export class LogReader {
  readonly #api: EngineApi;
  readonly #caller: Caller;
  readonly address: LogRef;
  #offset = 0;

  constructor(api: EngineApi, caller: Caller, address: LogRef) {
    this.#api = api;
    this.#caller = caller;
    this.address = address;
  }

  /**
   * Reads everything written since the last call, in chunks.
   * @returns whether the log is complete
   */
  async readNew(take: (bytes: Buffer) => Promise<void>): Promise<boolean> {
    for (;;) {
      const input = { ...this.address, offset: this.#offset, length: chunkBytes };
      // Sequential reads apply backpressure.
      const chunk = await this.#api.call('logs.bytes', input, this.#caller);
      const bytes = Buffer.from(chunk.data, 'base64');
      this.#offset += bytes.length;
      if (bytes.length > 0) await take(bytes);
      if (bytes.length === 0 || this.#offset >= chunk.size) return chunk.complete;
    }
  }
}

/** A log that is shown as it grows. */
export interface LogTail {
  /** Resolves after the last byte has been shown, or at `stop`. */
  readonly ended: Promise<void>;
  /** Prints the current contents; resolves when written. */
  catchUp(): Promise<void>;
  readonly stop: Dispose;
}

/** Prints a log from its beginning until it is complete. */
export function tailLog(api: EngineApi, caller: Caller, address: LogRef, writer: LogWriter): LogTail {
  const reader = new LogReader(api, caller, address);
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let leave: Dispose = () => {};
  let over = false;
  const finish = async (): Promise<void> => {
    if (over) return;
    over = true;
    leave();
    await writer.end();
    resolve();
  };
  let reading = Promise.resolve();
  const readOnce = async (before: Promise<void>, thenFinish: boolean): Promise<void> => {
    await before;
    if (over) return;
    const complete = await reader.readNew((bytes) => writer.write(bytes));
    if (complete || thenFinish) await finish();
  };
  // Reads run one at a time; notifications during a read trigger another.
  const readNew = (thenFinish: boolean): void => {
    reading = readOnce(reading, thenFinish);
    reading.catch(reject);
  };
  leave = api.follow(
    'logs.follow',
    address,
    { item: () => readNew(false), end: () => readNew(true) },
    caller,
  );
  readNew(false);
  const catchUp = (): Promise<void> => {
    readNew(false);
    return reading;
  };
  return { ended, catchUp, stop: () => void finish() };
}

type LineContext = Pick<CommandContext, 'terminal' | 'clock'>;

/** Log format of a long-running process (`logFormat`). */
export type LogFormat = 'text' | 'json';

/** Formats a log line without its newline. */
type FormatLine = (level: keyof Logger, message: string, fields: JsonObject | undefined) => string;

/** Logs engine messages to stderr. A one-shot command logs only warnings and errors. */
export function commandLogger(context: LineContext): Logger {
  return { ...lineLogger(context, commandLine), info() {} };
}

/**
 * Logs the engine messages of a long-running process.
 * @param format called for each line, because the configuration may be read after the first messages
 */
export function hostLogger(context: LineContext, format: () => LogFormat): Logger {
  const json = jsonLine(context);
  return {
    ...lineLogger(context, (...report) => (format() === 'json' ? json(...report) : commandLine(...report))),
    info() {},
  };
}

/** Writes a sentence for the operator of a long-running process. */
export function hostNotice(context: LineContext, format: LogFormat): (text: string) => void {
  if (format === 'json') return serverLogger(context, format).info;
  return (text) => void context.terminal.stderr.write(`engine: ${text}\n`);
}

/** Logs everything with timestamps, as a server log. */
export function serverLogger(context: LineContext, format: LogFormat): Logger {
  const textLine: FormatLine = (level, message, fields) =>
    `${formatClockTime(new Date(context.clock.now()))} ${levelLabels[level]} ${message}${fieldsText(fields)}`;
  return lineLogger(context, format === 'json' ? jsonLine(context) : textLine);
}

const lineLogger = ({ terminal }: LineContext, format: FormatLine): Logger => {
  const write = (level: keyof Logger) => (message: string, fields?: JsonObject) =>
    void terminal.stderr.write(`${format(level, message, fields)}\n`);
  return { info: write('info'), warn: write('warn'), error: write('error') };
};

const levelLabels: Readonly<Record<keyof Logger, string>> = { info: 'info', warn: 'warning', error: 'error' };

const commandLine: FormatLine = (level, message, fields) =>
  `engine: ${levelLabels[level]}: ${message}${fieldsText(fields)}`;

/** One JSON object per line, for log collectors. */
const jsonLine =
  ({ clock }: LineContext): FormatLine =>
  (level, message, fields) =>
    JSON.stringify({ ...fields, time: toIso(clock.now()), level: levelLabels[level], message });

const fieldsText = (fields: JsonObject | undefined): string =>
  fields === undefined
    ? ''
    : Object.entries(fields)
        .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
        .join('');
