import type { StepStatus } from '../../model/run/status.ts';
import type { Channel, Paint } from '../terminal.ts';

/** Shape, word and colour of each status. The word is that of the API. */
export const statusStyles = {
  not_started: { shape: '○', paint: 'gray' },
  queued: { shape: '◔', paint: 'cyan' },
  running: { shape: '▶', paint: 'blue' },
  succeeded: { shape: '✔', paint: 'green' },
  partially_succeeded: { shape: '◐', paint: 'yellow' },
  failed: { shape: '✖', paint: 'red' },
  aborted: { shape: '■', paint: 'magenta' },
  skipped: { shape: '–', paint: 'gray' },
} as const satisfies Record<StepStatus, { shape: string; paint: Paint }>;

/** Returns shape and word of a status, coloured if the channel supports it. */
export function formatStatus(channel: Channel, status: StepStatus): string {
  const { shape, paint } = statusStyles[status];
  return channel.paint(paint, `${shape} ${status}`);
}
