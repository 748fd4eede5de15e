import { CalendarClock, CalendarX2 } from 'lucide-react';
import { toAppError } from '../../../core/base/errors.ts';
import { useSuspend } from '../../api/schedule-queries.ts';
import { useMay } from '../../api/session/permissions.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';

interface SuspendProps {
  readonly fileName: string;
  readonly name: string;
  readonly suspended: boolean;
}

const tellRefusal = (thrown: unknown): void => showToast('error', toAppError(thrown).message);

/** Switches the schedule of a workflow off and on, in a row of a list. */
export function SuspendToggle({ fileName, name, suspended }: SuspendProps) {
  const { mutate, isPending } = useSuspend(fileName);
  const may = useMay('dags.suspend');
  return (
    <IconButton
      size="small"
      icon={suspended ? CalendarX2 : CalendarClock}
      label={suspended ? `Resume the schedule of ${name}` : `Suspend the schedule of ${name}`}
      pressed={suspended}
      isPending={isPending}
      unavailable={may.reason}
      onPress={() => mutate(!suspended, { onError: tellRefusal })}
    />
  );
}

/** The same with words. */
export function SuspendButton({ fileName, name, suspended }: SuspendProps) {
  const { mutate, isPending } = useSuspend(fileName);
  const may = useMay('dags.suspend');
  return (
    <Button
      size="small"
      icon={suspended ? CalendarClock : CalendarX2}
      isPending={isPending}
      unavailable={may.reason}
      aria-label={suspended ? `Resume the schedule of ${name}` : `Suspend the schedule of ${name}`}
      onPress={() => mutate(!suspended, { onError: tellRefusal })}
    >
      {suspended ? 'Resume schedule' : 'Suspend schedule'}
    </Button>
  );
}
