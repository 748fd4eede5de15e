import type { Dispose } from '../../base/clock.ts';
import type { StreamInput } from '../../contract/operations.ts';
import type { DagChangeView } from '../../contract/workflows/dag-changes.ts';
import type { StreamObserver } from '../../contract/transport/bridge.ts';
import type { EngineContext } from '../engine-context.ts';
import { Throttle } from './throttle.ts';

/** Interval of updates in milliseconds, however many files are written at once, for example by Git. */
const coalesceMs = 100;

/** Follows changes of all workflow files or of one, including renames, from now on. */
export const followDagChanges = (
  { editor }: Pick<EngineContext, 'editor'>,
  { fileName }: StreamInput<'dags.changes'>,
  observer: StreamObserver<DagChangeView>,
): Dispose =>
  editor.changes.subscribe((change) => {
    if (fileName === undefined || change.fileName === fileName || change.from === fileName)
      observer.item({ ...change });
  });

/** Calls back when workflow files were created, deleted or changed. */
export function followDags(
  { editor, clock }: Pick<EngineContext, 'editor' | 'clock'>,
  notify: () => void,
): Dispose {
  const throttle = new Throttle(clock, coalesceMs, notify);
  const stop = editor.changes.subscribe(throttle.note);
  return () => {
    stop();
    throttle.close();
  };
}
