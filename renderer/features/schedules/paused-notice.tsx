import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBridge } from '../../api/bridge.ts';
import { useSchedulers } from '../../api/system-queries.ts';
import { formatFull } from '../../format/time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';

/** Says that all schedules rest, by whom and until when, and ends that. */
export function PausedNotice() {
  const bridge = useBridge();
  const cache = useQueryClient();
  const pause = useSchedulers().data?.pause;
  const resume = useMutation({
    mutationFn: () => bridge.call('schedules.resume', {}),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['schedulers'] }),
  });
  if (pause === undefined) return null;
  return (
    <Notice
      tone="warning"
      action={
        <Button size="small" onPress={() => resume.mutate()}>
          Resume schedules
        </Button>
      }
    >
      All schedules rest{pause.until === undefined ? '' : ` until ${formatFull(pause.until)}`}: {pause.by} has
      paused them. What is missed meanwhile is made up for as each workflow says.
    </Notice>
  );
}
