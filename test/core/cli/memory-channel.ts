import { PinnedLines } from '../../../core/cli/pinned-lines.ts';
import type { Channel } from '../../../core/cli/terminal.ts';

/** A channel that keeps what is written, without colours. */
export interface MemoryChannel extends Channel {
  readonly text: string;
}

export function openMemoryChannel(
  size: { columns?: number; rows?: number; isTty?: boolean } = {},
): MemoryChannel {
  const written: string[] = [];
  const pinned = new PinnedLines();
  return {
    isTty: size.isTty ?? false,
    columns: size.columns ?? 80,
    rows: size.rows ?? 24,
    closed: false,
    failure: undefined,
    get text() {
      return written.join('');
    },
    write(data) {
      const text = typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
      written.push(pinned.shown ? pinned.above(text) : text);
      return Promise.resolve();
    },
    pin: (lines) => void written.push(pinned.replace(lines)),
    flush: () => Promise.resolve(),
    paint: (_paint, text) => text,
    onClosed: () => () => {},
  };
}
