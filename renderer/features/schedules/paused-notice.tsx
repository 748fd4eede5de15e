import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pause, CalendarClock, Clock, Moon } from 'lucide-react';
import { useState } from 'react';
import { formatActor } from '../../../core/model/run-event.ts';
import { useBridge } from '../../api/bridge.ts';
import { schedulersKey, useSchedulers } from '../../api/system-queries.ts';
import { useNow, systemClock } from '../../base/clock.ts';
import {
  fromWallTime,
  toWallTime,
  readTimeZone,
  addDays,
  getDayBounds,
  toDate,
  formatFull,
} from '../../format/time.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { ActionMenu } from '../../ui/menu.tsx';
import { showError } from '../../ui/toasts.tsx';
import { useSystemChanges } from '../../api/use-system-changes.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/state.tsx';
import styles from './pause.module.css';

/** Pauses or resumes all schedules of the home directory. */
function usePause() {
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

const dayMs = 86_400_000;

/** Asks until when to pause all schedules. */
function PauseUntilDialog({ onClose }: { readonly onClose: () => void }) {
  const now = useNow();
  const [text, setText] = useState(() => toWallTime(now + dayMs));
  const { pause } = usePause();
  const until = fromWallTime(text);
  const zone = readTimeZone().name;
  const isPast = until === undefined || until <= now;
  return (
    <FormDialog
      title="Pause all schedules until…"
      submit={{ label: 'Pause', icon: Pause, isPending: pause.isPending, isBlocked: isPast }}
      error={pause.error}
      onSubmit={() => pause.mutate(until, { onSuccess: onClose })}
      onClose={onClose}
    >
      <label className={styles.field}>
        <span>Resume at</span>
        <input
          type="datetime-local"
          required
          min={toWallTime(now)}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <p className={styles.help}>
        {isPast ? 'Choose a time in the future.' : `Time zone: ${zone}.`} Missed runs follow the catchup
        setting of each workflow.
      </p>
    </FormDialog>
  );
}

const hourMs = 3_600_000;

/** Returns the next midnight in the displayed time zone. */
const tomorrow = (now: number): number | undefined => getDayBounds(addDays(toDate(now), 1))?.from;

/** Menu with the options to pause all schedules, or to change the end of the pause. */
export function PauseMenu({ children }: { readonly children: React.ReactNode }) {
  const [isAsking, setAsking] = useState(false);
  const { mutate } = usePause().pause;
  const pause = (until: number | undefined): void => mutate(until, { onError: showError });
  const actions = [
    { id: 'hour', label: 'For 1 hour', icon: Clock, run: () => pause(systemClock.now() + hourMs) },
    {
      id: 'tomorrow',
      label: 'Until tomorrow',
      icon: Moon,
      run: () => pause(tomorrow(systemClock.now())),
    },
    { id: 'until', label: 'Until…', icon: CalendarClock, run: () => setAsking(true) },
    { id: 'resumed', label: 'Until resumed', icon: Pause, run: () => pause(undefined) },
  ];
  return (
    <>
      <ActionMenu label="Pause duration" actions={actions}>
        {children}
      </ActionMenu>
      {isAsking && <PauseUntilDialog onClose={() => setAsking(false)} />}
    </>
  );
}

/** Notice that all schedules are paused, by whom and until when, with actions to change or end the pause. */
export function PausedNotice() {
  useSystemChanges('schedulers', schedulersKey);
  const pause = useSchedulers().data?.pause;
  const { resume } = usePause();
  const may = useCan('schedules.resume');
  if (pause === undefined) return null;
  const actions = (
    <div className={styles.actions}>
      <Button
        size="small"
        isPending={resume.isPending}
        unavailable={may.reason}
        onPress={() => resume.mutate(undefined, { onError: showError })}
      >
        Resume schedules
      </Button>
      {may.allowed && (
        <PauseMenu>
          <Button size="small">Change…</Button>
        </PauseMenu>
      )}
    </div>
  );
  return (
    <Notice tone="warning" action={actions}>
      All schedules paused{pause.until === undefined ? '' : ` until ${formatFull(pause.until)}`}{' '}
      {formatActor(pause.by)}. Missed runs follow the catchup setting of each workflow.
    </Notice>
  );
}
