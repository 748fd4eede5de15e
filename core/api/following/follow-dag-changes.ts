import type { Dispose } from '../../base/clock.ts';
import type { StreamInput } from '../../contract/operations.ts';
import type { DagChangeView } from '../../contract/workflows/dag-changes.ts';
import type { StreamObserver } from '../../contract/transport/bridge.ts';
import type { EngineParts } from '../engine-parts.ts';

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
