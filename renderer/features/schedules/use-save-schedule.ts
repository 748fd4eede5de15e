import { useMutation, useQueryClient } from '@tanstack/react-query';
import { AppError } from '../../../core/base/errors.ts';
import type { DagDetailView } from '../../../core/contract/dags.ts';
import type { Bridge } from '../../../core/contract/transport.ts';
import type { StartTime } from '../../../core/edit/steps/set-start-time.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { loadChunk } from '../../base/lazy-component.ts';
import { showError, showToast } from '../../ui/toasts.tsx';

/** A change of one start time; without `time`, the entry is removed. */
export interface ScheduleChange {
  readonly index: number;
  readonly time?: StartTime;
}

/**
 * Saves a start time in the workflow file. Comments and the rest of the file stay; a file that has changed since it was
 * shown is not overwritten.
 */
export function useSaveSchedule({ fileName, spec }: Pick<DagDetailView, 'fileName' | 'spec'>) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const refresh = () =>
    Promise.all(
      [queryKeys.dags, queryKeys.dag(fileName), queryKeys.nextTimes(fileName)].map((queryKey) =>
        cache.invalidateQueries({ queryKey }),
      ),
    );
  return useMutation({
    mutationFn: (change: ScheduleChange) => save(bridge, { fileName, spec }, change),
    onSuccess: async (hash, { time }) => {
      await refresh();
      showToast('info', time === undefined ? 'Scheduled time removed' : 'Schedule saved', {
        label: 'Undo',
        run: () =>
          void bridge
            .call('dags.updateSpec', { fileName, spec, baseHash: hash, allowInvalid: true })
            .then(refresh)
            .catch(showError),
      });
    },
    onError: refresh,
  });
}

/** @returns the hash of the new source */
async function save(
  bridge: Bridge,
  { fileName, spec }: Pick<DagDetailView, 'fileName' | 'spec'>,
  { index, time }: ScheduleChange,
): Promise<string> {
  const current = await bridge.call('dags.spec', { fileName });
  if (current.spec !== spec) throw changed();
  const edit = await loadChunk(async () => ({
    ...(await import('../../../core/edit/steps/set-start-time.ts')),
    ...(await import('../../../core/edit/yaml/editable-text.ts')),
    ...(await import('../../../core/edit/text-change.ts')),
  }));
  const result = edit.setStartTime(edit.readEditable(spec), index, time);
  if (!result.ok) throw new AppError('bad_request', result.reason);
  const saved = await bridge.call('dags.updateSpec', {
    fileName,
    spec: edit.applyChanges(spec, result.changes),
    baseHash: current.hash,
    allowInvalid: true,
  });
  return saved.hash;
}

const changed = (): AppError =>
  new AppError('conflict', 'The file has changed. Check the schedule, then save again.');
