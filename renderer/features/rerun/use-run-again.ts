import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';

interface RunAgainWish {
  readonly run: RunDetailView;
  readonly fileName: string;
  /** The text of the run is to be run, not the file as it is now. */
  readonly isOriginal: boolean;
  /** As after `--` on the command line; empty for the defaults. */
  readonly params: string;
  /** Empty for a new one. */
  readonly runId: string;
}

/** Starts a run after the example of an earlier one, or puts it into its queue. */
export function useRunAgain({ run, fileName, isOriginal, params, runId }: RunAgainWish) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const input = {
    ...(params !== '' && { params }),
    ...(runId.trim() !== '' && { dagRunId: runId.trim() }),
  };
  return useMutation({
    mutationFn: (way: 'run' | 'queue') => {
      const original = { spec: run.spec, name: run.name, fileName, ...input };
      if (way === 'queue')
        return isOriginal
          ? bridge.call('runs.enqueue', original)
          : bridge.call('dags.enqueue', { fileName, ...input });
      return isOriginal
        ? bridge.call('runs.start', original)
        : bridge.call('dags.start', { fileName, ...input });
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.dags }),
  });
}
