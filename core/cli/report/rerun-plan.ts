import type { RerunPlanView } from '../../contract/runs/reruns.ts';
import type { Channel } from '../terminal.ts';
import { oneLine } from './plain-text.ts';
import { formatStatus } from './status-styles.ts';
import { formatTable } from './table.ts';

/** Returns the steps to run again and to keep, one per line, then the handlers. */
export function describePlan({ steps, handlers }: RerunPlanView, channel: Channel): string[] {
  const rows = steps.map(({ name, action, status, reason }) => [
    oneLine(name),
    action === 'run' ? 'run' : 'keep',
    formatStatus(channel, status),
    oneLine(reason),
  ]);
  const table = formatTable(['STEP', 'ACTION', 'STATUS', 'REASON'], rows);
  return handlers.length === 0 ? table : [...table, `Handlers that run again: ${handlers.join(', ')}.`];
}
