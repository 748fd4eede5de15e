import { oneLine } from '../report/plain-text.ts';
import type { Channel, Paint } from '../terminal.ts';
import { LineWriter } from './line-writer.ts';
import type { LogAddress, LogChoice } from './log-address.ts';

/** Takes the bytes of one log to where they are shown. */
export interface LogWriter {
  write(bytes: Buffer): Promise<void>;
  end(): Promise<void>;
}

const labelPaints: readonly Paint[] = ['cyan', 'yellow', 'green', 'magenta', 'blue'];

/**
 * How a log is shown: one stream of one step as its bytes are, both streams of it line by line, a
 * whole run behind labels (`extract | …`, `extract ! …` for stderr, `extract#2 | …` for a second attempt).
 */
export function openLogWriter(channel: Channel, choice: LogChoice, address: LogAddress): LogWriter {
  if (choice.node === undefined) return new LineWriter(channel, labelOf(channel, address));
  if (choice.streams.length > 1) return new LineWriter(channel, '');
  return { write: (bytes) => channel.write(bytes), end: () => Promise.resolve() };
}

function labelOf(channel: Channel, { step, attempt, stream }: LogAddress): string {
  const name = `${oneLine(step)}${attempt > 1 ? `#${attempt}` : ''}`;
  const sum = [...step].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  const paint = labelPaints[sum % labelPaints.length] ?? 'cyan';
  return stream === 'stdout' ? channel.paint(paint, `${name} | `) : channel.paint('red', `${name} ! `);
}
