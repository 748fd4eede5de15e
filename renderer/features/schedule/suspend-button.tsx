import { CalendarClock, CalendarX2 } from 'lucide-react';
import { useSuspend } from '../../api/schedule-queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';

interface SuspendProps {
  readonly fileName: string;
  readonly name: string;
  readonly suspended: boolean;
}

/** Switches the schedule of a workflow off and on, in a row of a list. */
export function SuspendToggle({ fileName, name, suspended }: SuspendProps) {
  const { mutate, isPending } = useSuspend(fileName);
  return (
    <IconButton
      size="small"
      icon={suspended ? CalendarX2 : CalendarClock}
      label={suspended ? `Resume the schedule of ${name}` : `Suspend the schedule of ${name}`}
      pressed={suspended}
      isPending={isPending}
      onPress={() => mutate(!suspended)}
    />
  );
}

/** The same with words. */
export function SuspendButton({ fileName, name, suspended }: SuspendProps) {
  const { mutate, isPending } = useSuspend(fileName);
  return (
    <Button
      size="small"
      icon={suspended ? CalendarClock : CalendarX2}
      isPending={isPending}
      aria-label={suspended ? `Resume the schedule of ${name}` : `Suspend the schedule of ${name}`}
      onPress={() => mutate(!suspended)}
    >
      {suspended ? 'Resume schedule' : 'Suspend schedule'}
    </Button>
  );
}
