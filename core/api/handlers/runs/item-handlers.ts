import type { ItemView } from '../../../contract/runs/items.ts';
import type { ItemRecord } from '../../../model/run/run.ts';
import { toAttemptTimeline } from '../../views.ts';
import { parseCursor } from '../cursor.ts';
import { findAttempt } from './find-attempt.ts';
import type { HandlersFor } from '../handlers.ts';

const defaultPageSize = 100;

/** Operations on the items of steps with `parallel`. */
export const itemHandlers: HandlersFor<'runs.items'> = {
  'runs.items': (input, context) => {
    const { run, record, logDir } = findAttempt(context, input);
    const { limit = defaultPageSize, cursor, status } = input;
    const items = context.store.listItems(run, {
      node: record.node,
      attempt: record.attempt,
      statuses: status,
      after: parseCursor(cursor),
      limit,
    });
    const last = items.at(-1);
    const nextCursor = last === undefined || items.length < limit ? undefined : String(last.item);
    return { attempt: record.attempt, items: items.map((item) => toItemView(item, logDir)), nextCursor };
  },
};

function toItemView(record: ItemRecord, logDir: string): ItemView {
  const { item, value, status, subRun } = record;
  return { item, value, status, ...toAttemptTimeline(record, logDir), subRun };
}
