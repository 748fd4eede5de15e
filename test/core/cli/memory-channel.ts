import type { Channel } from '../../../core/cli/terminal.ts';

/** A channel that keeps what is written, without colours. */
export interface MemoryChannel extends Channel {
  readonly text: string;
}

export function openMemoryChannel(
  size: { columns?: number; rows?: number; isTty?: boolean } = {},
): MemoryChannel {
  const written: string[] = [];
  return {
    isTty: size.isTty ?? false,
    columns: size.columns ?? 80,
    rows: size.rows ?? 24,
    closed: false,
    get text() {
      return written.join('');
    },
    write(data) {
      written.push(typeof data === 'string' ? data : Buffer.from(data).toString('utf8'));
      return Promise.resolve();
    },
    flush: () => Promise.resolve(),
    paint: (_paint, text) => text,
    onClosed: () => () => {},
  };
}
