import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';

interface RunAgainOptions {
  readonly run: RunDetailView;
  readonly fileName: string;
  /** Run the text of the run, not the current file. */
  readonly isOriginal: boolean;
  /** As after `--` on the command line; empty for the defaults. */
  readonly params: string;
  /** Empty to generate an id. */
  readonly runId: string;
}

/** Starts or queues a run modeled on an existing one. */
export function useRunAgain({ run, fileName, isOriginal, params, runId }: RunAgainOptions) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const input = {
    ...(params !== '' && { params }),
    ...(runId.trim() !== '' && { dagRunId: runId.trim() }),
  };
  return useMutation({
    mutationFn: (mode: 'run' | 'queue') => {
      const original = { spec: run.spec, name: run.name, fileName, ...input };
      if (mode === 'queue')
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
