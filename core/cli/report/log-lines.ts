import { toIso } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { CommandContext } from '../command-context.ts';
import { formatClockTime } from './time-text.ts';

type LineContext = Pick<CommandContext, 'terminal' | 'clock'>;

/** Log format of a long-running process (`logFormat`). */
export type LogFormat = 'text' | 'json';

/** Formats a log line without its newline. */
type FormatLine = (level: keyof Logger, message: string, fields: JsonObject | undefined) => string;

/** Logs engine messages to stderr. A one-shot command shows only warnings and errors. */
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
