import type { RerunPlanView } from '../../contract/runs/reruns.ts';
import type { Channel } from '../terminal.ts';
import { oneLine } from './plain-text.ts';
import { statusText } from './status-styles.ts';
import { formatTable } from './table.ts';

/** Returns what runs again and what is kept, one line per step, then the handlers. */
export function describePlan({ steps, handlers }: RerunPlanView, channel: Channel): string[] {
  const rows = steps.map(({ name, action, status, reason }) => [
    oneLine(name),
    action === 'run' ? 'run' : 'keep',
    statusText(channel, status),
    oneLine(reason),
  ]);
  const table = formatTable(['STEP', 'ACTION', 'STATUS', 'REASON'], rows);
  return handlers.length === 0 ? table : [...table, `Handlers that run again: ${handlers.join(', ')}.`];
}
