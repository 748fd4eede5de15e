import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import type { CommandContext } from '../command-context.ts';
import { clockText } from './time-text.ts';

type LineContext = Pick<CommandContext, 'terminal' | 'clock'>;

/** The engine's own reports as lines on stderr; a one-shot command shows only what is out of order. */
export function commandLogger({ terminal }: LineContext): Logger {
  const write = (level: string) => (message: string, fields?: JsonObject) =>
    void terminal.stderr.write(`engine: ${level}: ${message}${fieldsText(fields)}\n`);
  return { info() {}, warn: write('warning'), error: write('error') };
}

/** As {@link commandLogger}, everything, with the time of day: a server's log. */
export function serverLogger({ terminal, clock }: LineContext): Logger {
  const write = (level: string) => (message: string, fields?: JsonObject) =>
    void terminal.stderr.write(
      `${clockText(new Date(clock.now()))} ${level} ${message}${fieldsText(fields)}\n`,
    );
  return { info: write('info'), warn: write('warning'), error: write('error') };
}

const fieldsText = (fields: JsonObject | undefined): string =>
  fields === undefined
    ? ''
    : Object.entries(fields)
        .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
        .join('');
