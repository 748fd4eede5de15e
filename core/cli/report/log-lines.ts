import { toIso } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { CommandContext } from '../command-context.ts';
import { clockText } from './time-text.ts';

type LineContext = Pick<CommandContext, 'terminal' | 'clock'>;

/** How the log of a process that stays is written (`logFormat`). */
export type LogFormat = 'text' | 'json';

/** Makes one line of a report, without its end. */
type FormatLine = (level: keyof Logger, message: string, fields: JsonObject | undefined) => string;

/** The engine's own reports as lines on stderr; a one-shot command shows only what is out of order. */
export function commandLogger(context: LineContext): Logger {
  return { ...lineLogger(context, commandLine), info() {} };
}

/**
 * The same for a process that stays.
 * @param format asked for each line, since the configuration that decides is read when reports may have come already
 */
export function hostLogger(context: LineContext, format: () => LogFormat): Logger {
  const json = jsonLine(context);
  return {
    ...lineLogger(context, (...report) => (format() === 'json' ? json(...report) : commandLine(...report))),
    info() {},
  };
}

/** Writes a sentence to whoever watches a process that stays. */
export function hostNotice(context: LineContext, format: LogFormat): (text: string) => void {
  if (format === 'json') return serverLogger(context, format).info;
  return (text) => void context.terminal.stderr.write(`engine: ${text}\n`);
}

/** As {@link hostLogger}, everything, with the time of day: a server's log. */
export function serverLogger(context: LineContext, format: LogFormat): Logger {
  const textLine: FormatLine = (level, message, fields) =>
    `${clockText(new Date(context.clock.now()))} ${levelWords[level]} ${message}${fieldsText(fields)}`;
  return lineLogger(context, format === 'json' ? jsonLine(context) : textLine);
}

const lineLogger = ({ terminal }: LineContext, format: FormatLine): Logger => {
  const write = (level: keyof Logger) => (message: string, fields?: JsonObject) =>
    void terminal.stderr.write(`${format(level, message, fields)}\n`);
  return { info: write('info'), warn: write('warn'), error: write('error') };
};

const levelWords: Readonly<Record<keyof Logger, string>> = { info: 'info', warn: 'warning', error: 'error' };

const commandLine: FormatLine = (level, message, fields) =>
  `engine: ${levelWords[level]}: ${message}${fieldsText(fields)}`;

/** One object a line, for programs that collect logs. */
const jsonLine =
  ({ clock }: LineContext): FormatLine =>
  (level, message, fields) =>
    JSON.stringify({ ...fields, time: toIso(clock.now()), level: levelWords[level], message });

const fieldsText = (fields: JsonObject | undefined): string =>
  fields === undefined
    ? ''
    : Object.entries(fields)
        .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
        .join('');
