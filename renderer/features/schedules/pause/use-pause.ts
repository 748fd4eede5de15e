import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBridge } from '../../../api/bridge.ts';
import { schedulersKey } from '../../../api/queries/operating/system-queries.ts';

/** Pauses or resumes all schedules of the home directory. */
export function usePause() {
  const bridge = useBridge();
  const cache = useQueryClient();
  const onSuccess = () => cache.invalidateQueries({ queryKey: schedulersKey });
  const pause = useMutation({
    /** @param until epoch milliseconds. Default: no end */
    mutationFn: (until: number | undefined) =>
      bridge.call('schedules.pause', until === undefined ? {} : { until: new Date(until).toISOString() }),
    onSuccess,
  });
  const resume = useMutation({ mutationFn: () => bridge.call('schedules.resume', {}), onSuccess });
  return { pause, resume };
}
