import { CalendarClock, CalendarX2 } from 'lucide-react';
import { useMemo } from 'react';
import { useSuspendSchedule } from '../../api/workflow-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Switch } from '../../ui/choices.tsx';
import { RowButton } from '../../ui/list/row-controls.tsx';
import { showError } from '../../ui/toasts.tsx';

interface SuspendProps {
  readonly fileName: string;
  readonly name: string;
  readonly suspended: boolean;
}

const getLabel = ({ name, suspended }: SuspendProps): string =>
  suspended ? `Resume the schedule of ${name}` : `Suspend the schedule of ${name}`;

/** Shared by the switches of a list. */
export interface SuspendSwitch {
  readonly suspend: (fileName: string, isOn: boolean) => void;
  /** Why the role does not allow it. */
  readonly unavailable: string | undefined;
}

/** Returns the shared part of {@link RowSuspendButton}; the object is stable while the role is. */
export function useSuspendSwitch(): SuspendSwitch {
  const { mutate } = useSuspendSchedule();
  const unavailable = useCan('dags.suspend').reason;
  return useMemo(
    () => ({
      suspend: (fileName, isOn) => mutate({ fileName, suspend: isOn }, { onError: showError }),
      unavailable,
    }),
    [mutate, unavailable],
  );
}

/** Button that suspends or resumes a workflow's schedule, in a row of a long list. */
export function RowSuspendButton({ by, ...props }: SuspendProps & { readonly by: SuspendSwitch }) {
  const { fileName, suspended } = props;
  return (
    <RowButton
      icon={suspended ? CalendarX2 : CalendarClock}
      label={getLabel(props)}
      pressed={suspended}
      unavailable={by.unavailable}
      onPress={() => by.suspend(fileName, !suspended)}
    />
  );
}

/** The same button outside a list. */
export function SuspendToggle(props: SuspendProps) {
  const { fileName, suspended } = props;
  const { mutate, isPending } = useSuspendSchedule();
  const may = useCan('dags.suspend');
  return (
    <IconButton
      size="small"
      icon={suspended ? CalendarX2 : CalendarClock}
      label={getLabel(props)}
      pressed={suspended}
      isPending={isPending}
      unavailable={may.reason}
      onPress={() => mutate({ fileName, suspend: !suspended }, { onError: showError })}
    />
  );
}

/** The same button with a label. */
export function SuspendButton(props: SuspendProps) {
  const { fileName, suspended } = props;
  const { mutate, isPending } = useSuspendSchedule();
  const may = useCan('dags.suspend');
  return (
    <Button
      size="small"
      icon={suspended ? CalendarClock : CalendarX2}
      isPending={isPending}
      unavailable={may.reason}
      aria-label={getLabel(props)}
      onPress={() => mutate({ fileName, suspend: !suspended }, { onError: showError })}
    >
      {suspended ? 'Resume schedule' : 'Suspend schedule'}
    </Button>
  );
}

/** The same as a switch that is on while the schedule is active. */
export function ScheduleSwitch({ fileName, name, suspended }: SuspendProps) {
  const { mutate, isPending, variables } = useSuspendSchedule();
  const may = useCan('dags.suspend');
  return (
    <Switch
      label={`Schedule of ${name}`}
      isLabelHidden
      isSelected={!(isPending ? variables.suspend : suspended)}
      unavailable={may.reason}
      onChange={(isOn) => mutate({ fileName, suspend: !isOn }, { onError: showError })}
    />
  );
}
