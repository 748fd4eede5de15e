import { oneLine } from '../report/plain-text.ts';
import type { Channel, Paint } from '../terminal.ts';
import { LineWriter } from './line-writer.ts';
import type { LogRef, LogChoice } from './log-ref.ts';

/** Writes the bytes of one log to the output. */
export interface LogWriter {
  write(bytes: Buffer): Promise<void>;
  end(): Promise<void>;
}

const labelPaints: readonly Paint[] = ['cyan', 'yellow', 'green', 'magenta', 'blue'];

/**
 * Opens a log writer: a single stream of a step is written unchanged, both streams of a step line by line, a whole run
 * with prefixes (`extract | …`, `extract ! …` for stderr, `extract#2 | …` for a second attempt).
 */
export function openLogWriter(channel: Channel, choice: LogChoice, address: LogRef): LogWriter {
  if (choice.node === undefined) return new LineWriter(channel, labelOf(channel, address));
  if (choice.streams.length > 1) return new LineWriter(channel, '');
  return { write: (bytes) => channel.write(bytes), end: () => Promise.resolve() };
}

function labelOf(channel: Channel, { step, attempt, stream }: LogRef): string {
  const name = `${oneLine(step)}${attempt > 1 ? `#${attempt}` : ''}`;
  const sum = [...step].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  const paint = labelPaints[sum % labelPaints.length] ?? 'cyan';
  return stream === 'stdout' ? channel.paint(paint, `${name} | `) : channel.paint('red', `${name} ! `);
}
