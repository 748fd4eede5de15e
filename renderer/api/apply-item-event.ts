import type { EventView } from '../../core/contract/logs.ts';
import type { ItemView } from '../../core/contract/run-steps.ts';
import type { OperationOutput } from '../../core/contract/operations.ts';
import type { ItemSummaryView } from '../../core/contract/run-views.ts';
import { attemptFiles, hasSucceeded } from '../../core/model/run.ts';
import type { RunEvent } from '../../core/model/run-event.ts';
import type { ItemsRef } from './query-keys.ts';

export type ItemPage = OperationOutput<'runs.items'>;

/** Counts the items of a list that contains all items of an attempt. */
export function summarizeItems(items: readonly ItemView[]): ItemSummaryView {
  const running = items.filter(({ status }) => status === 'running').length;
  const succeeded = items.filter(({ status }) => hasSucceeded(status)).length;
  return { started: items.length, running, succeeded, failed: items.length - running - succeeded };
}

/** Identifies the list of items that an event may change. */
export interface ItemsLocation extends ItemsRef {
  /** Absolute path of the run's directory; empty while unknown. */
  readonly logDir: string;
}

/**
 * Applies an event of its run to a list of items; returns the same object if nothing changes. Applying an event
 * twice is harmless, so a list can be updated with more events than it has missed.
 */
export function applyItemEvent(page: ItemPage, { event, at }: EventView, location: ItemsLocation): ItemPage {
  if (!('node' in event) || event.node?.section !== location.section || event.node.name !== location.step)
    return page;
  if ('attempt' in event && event.attempt !== location.attempt) return page;
  switch (event.type) {
    case 'step.item_started':
      return addItem(page, event, at, location.logDir);
    case 'step.item_finished': {
      const { status, exitCode, signal, error } = event;
      return patchRunning(page, at, (item) =>
        item.item === event.item ? { ...item, status, finishedAt: at, exitCode, signal, error } : item,
      );
    }
    case 'step.sub_run':
      return patchRunning(page, at, (item) =>
        item.item === event.item ? { ...item, subRun: { name: event.name, dagRunId: event.dagRunId } } : item,
      );
    case 'step.finished':
    case 'step.retry_scheduled':
    case 'step.repeat_scheduled':
      return closeItems(page, at, event.error);
    case 'step.ended':
      return closeItems(page, at, event.reason);
    default:
      return page;
  }
}

function addItem(
  page: ItemPage,
  event: Extract<RunEvent, { type: 'step.item_started' }>,
  at: string,
  logDir: string,
): ItemPage {
  if (page.items.some(({ item }) => item === event.item)) return page;
  const added: ItemView = {
    item: event.item,
    value: event.value,
    status: 'running',
    startedAt: at,
    stdoutFile: `${logDir}/${event.dir}/${attemptFiles.stdout}`,
    stderrFile: `${logDir}/${event.dir}/${attemptFiles.stderr}`,
  };
  return { ...page, items: [...page.items, added].sort((a, b) => a.item - b.item) };
}

const closeItems = (page: ItemPage, at: string, error: string | undefined): ItemPage =>
  patchRunning(page, at, (item) => ({
    ...item,
    status: 'aborted',
    finishedAt: at,
    error: error ?? 'The attempt ended before this item ran',
  }));

/** Skips items that started after the event, which belongs to an earlier attempt. */
function patchRunning(page: ItemPage, at: string, patch: (item: ItemView) => ItemView): ItemPage {
  const items = page.items.map((item) =>
    item.status === 'running' && item.startedAt <= at ? patch(item) : item,
  );
  return items.every((item, index) => item === page.items[index]) ? page : { ...page, items };
}
