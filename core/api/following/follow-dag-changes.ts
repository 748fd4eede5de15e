import type { Dispose } from '../../base/clock.ts';
import type { StreamInput } from '../../contract/operations.ts';
import type { DagChangeView } from '../../contract/workflows/dag-changes.ts';
import type { StreamObserver } from '../../contract/transport/bridge.ts';
import type { EngineParts } from '../engine-parts.ts';
import { SparingTeller } from './tell-sparingly.ts';

/** Interval of updates in milliseconds, however many files are written at once, for example by Git. */
const momentMs = 100;

/** Follows changes of all workflow files or of one, including renames, from now on. */
export const followDagChanges = (
  { editor }: Pick<EngineParts, 'editor'>,
  { fileName }: StreamInput<'dags.changes'>,
  observer: StreamObserver<DagChangeView>,
): Dispose =>
  editor.changes.subscribe((change) => {
    if (fileName === undefined || change.fileName === fileName || change.from === fileName)
      observer.item({ ...change });
  });

/** Calls back when workflow files were created, deleted or changed. */
export function followDags(
  { editor, clock }: Pick<EngineParts, 'editor' | 'clock'>,
  tell: () => void,
): Dispose {
  const teller = new SparingTeller(clock, momentMs, tell);
  const stop = editor.changes.subscribe(teller.note);
  return () => {
    stop();
    teller.close();
  };
}
