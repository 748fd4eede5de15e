import type { Dispose } from '../../base/clock.ts';
import type { StreamInput } from '../../contract/operations.ts';
import type { DagChangeView } from '../../contract/workflows/dag-changes.ts';
import type { StreamObserver } from '../../contract/transport/bridge.ts';
import type { EngineParts } from '../engine-parts.ts';
import { SparingTeller } from './tell-sparingly.ts';

/** However many files are written at once, as by Git, lists of them are called out of date this often, milliseconds. */
const momentMs = 100;

/** Changes of workflow files from now on, of all or of one, whose new name is told, too. */
export const followDagChanges = (
  { editor }: Pick<EngineParts, 'editor'>,
  { fileName }: StreamInput<'dags.changes'>,
  observer: StreamObserver<DagChangeView>,
): Dispose =>
  editor.changes.subscribe((change) => {
    if (fileName === undefined || change.fileName === fileName || change.from === fileName)
      observer.item({ ...change });
  });

/** Calls back when workflow files have come, gone or another text. */
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
