import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Play, TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { useBridge } from '../../api/bridge.ts';
import { useCan } from '../../api/session-queries.ts';
import { schedulersKey, useSchedulers } from '../../api/system-queries.ts';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { paths } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/state.tsx';
import { showError } from '../../ui/toasts.tsx';
import styles from './scheduler-notice.module.css';

/** Whether no scheduler of the home is active, so that next times are not true; false until this is known. */
export function useIsSchedulerStopped(): boolean {
  useSystemChanges('schedulers', schedulersKey);
  const schedulers = useSchedulers().data?.schedulers;
  return schedulers !== undefined && schedulers.every(({ status }) => status !== 'active');
}

interface StartSchedulerButtonProps {
  readonly className?: string | undefined;
}

/** Starts a scheduler in the server. */
export function StartSchedulerButton({ className }: StartSchedulerButtonProps) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const may = useCan('services.startScheduler');
  const start = useMutation({
    mutationFn: () => bridge.call('services.startScheduler', {}),
    onSuccess: () => cache.invalidateQueries({ queryKey: schedulersKey }),
  });
  return (
    <span className={className ?? styles.action}>
      <Button
        size="small"
        icon={Play}
        isPending={start.isPending}
        unavailable={may.reason}
        onPress={() => start.mutate(undefined, { onError: showError })}
      >
        Start scheduler
      </Button>
    </span>
  );
}

interface SchedulerNoticeProps {
  /** Leaves out how to run it permanently, for narrow panels. */
  readonly isShort?: boolean;
}

/** Notice that no scheduler is running, with a button that starts one; nothing while one is. */
export function SchedulerNotice({ isShort = false }: SchedulerNoticeProps) {
  if (!useIsSchedulerStopped()) return null;
  return (
    <Notice tone="warning" action={<StartSchedulerButton />}>
      Scheduler not running. Scheduled workflows won’t start.
      {!isShort && (
        <>
          {' '}
          To run it permanently, use the desktop app or <code>engine start-all</code>.
        </>
      )}
    </Notice>
  );
}

/** Short form of {@link SchedulerNotice} next to a time; links to the page with the button. */
export function SchedulerWarning() {
  if (!useIsSchedulerStopped()) return null;
  return (
    <Link
      href={paths.schedule}
      className={styles.warning}
      title="Scheduled workflows won’t start. Open the schedule to start the scheduler."
    >
      <TriangleAlert size={14} aria-hidden="true" />
      Scheduler not running
    </Link>
  );
}
