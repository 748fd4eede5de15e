import { CalendarClock, Clock, Moon, Pause } from 'lucide-react';
import { useState } from 'react';
import { systemClock } from '../../../app/clock.ts';
import { addDays, boundsOf, toDate } from '../../../format/day-clock.ts';
import { ActionMenu } from '../../../ui/overlay/menu.tsx';
import { showError } from '../../../ui/overlay/show-error.ts';
import { PauseUntilDialog } from './pause-until-dialog.tsx';
import { usePause } from './use-pause.ts';

const hourMs = 3_600_000;

/** Returns the next midnight in the displayed time zone. */
const tomorrow = (now: number): number | undefined => boundsOf(addDays(toDate(now), 1))?.from;

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
