import type { ItemSummaryView } from '../../../core/contract/runs/run-views.ts';
import { describeItems } from '../../format/items.ts';
import { StatusMeter } from '../../ui/status/status-meter.tsx';

/** Progress of the items of a step. */
export function ItemProgress({ items }: { readonly items: ItemSummaryView }) {
  return (
    <StatusMeter
      label="Items"
      text={describeItems(items)}
      total={items.total}
      segments={[
        { status: 'succeeded', count: items.succeeded, done: true },
        { status: 'failed', count: items.failed, done: true },
        { status: 'running', count: items.running, done: false },
      ]}
    />
  );
}
