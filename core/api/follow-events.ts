import type { Dispose } from '../base/clock.ts';
import type { StreamObserver } from '../contract/transport/bridge.ts';
import type { StreamInput, StreamItem } from '../contract/operations.ts';
import type { RecordedEvent } from '../model/run-event.ts';
import type { EngineParts } from './engine-parts.ts';
import { toEventView } from './views.ts';

/** Stored events handed over in one turn while a client catches up. */
const pageSize = 500;

/** Hands out events of one run, one DAG or all: first the stored ones after `after`, then new ones, without gap or repeat. */
export function followEvents(
  parts: Pick<EngineParts, 'store' | 'hub' | 'clock'>,
  input: StreamInput<'events.follow'>,
  observer: StreamObserver<StreamItem<'events.follow'>>,
): Dispose {
  const { store, hub, clock } = parts;
  const { name, dagRunId } = input;
  let lastId = Math.min(input.after ?? Infinity, store.lastEventId());
  let live = false;
  let over = false;
  const run = name === undefined || dagRunId === undefined ? undefined : { name, dagRunId };
  const deliver = (recorded: RecordedEvent): void => {
    if (over || recorded.id <= lastId) return;
    lastId = recorded.id;
    if (name !== undefined && recorded.dag !== name) return;
    if (dagRunId !== undefined && recorded.dagRunId !== dagRunId) return;
    observer.item(toEventView(recorded));
  };
  const catchUp = (): void => {
    if (over) return;
    const events = store.listEvents(lastId, pageSize, run);
    events.forEach(deliver);
    if (events.length === pageSize) clock.soon(catchUp);
    else live = true;
  };
  const unsubscribe = hub.subscribe((recorded) => {
    if (live) deliver(recorded);
  });
  catchUp();
  return () => {
    over = true;
    unsubscribe();
  };
}
