import { useMemo, useState } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { CalendarCheck } from 'lucide-react';
import type { StartTime } from '../../../core/edit/steps/set-start-time.ts';
import { useNow } from '../../base/clock.ts';
import { usePreferences } from '../../base/preferences.ts';
import { formatCron } from '../../format/time.ts';
import { Button } from '../../ui/button.tsx';
import { NativeSelect, Segmented } from '../../ui/choices.tsx';
import { FormErrorNotice } from '../../ui/dialog.tsx';
import { FieldErrorScope, TextField } from '../../ui/fields.tsx';
import { ZoneOptions } from '../settings/setting-row.tsx';
import {
  createDraft,
  findDraftError,
  intervals,
  readDraft,
  scheduleKinds,
  toExpression,
  type ScheduleDraft,
} from './schedule-draft.ts';
import { NextFive } from './next-five.tsx';
import styles from './schedule-form.module.css';

const kindLabels = {
  minutes: 'Minutes',
  hourly: 'Hourly',
  daily: 'Daily',
  weekdays: 'Weekdays',
  weekly: 'Weekly',
  monthly: 'Monthly',
  once: 'Once',
  cron: 'Cron',
} as const;

interface ScheduleFormProps {
  /** Start time to edit; absent for a new one. */
  readonly initial?: StartTime;
  /** Time zone of the schedule if it names none: that of the workflow or of the engine. */
  readonly defaultZone: string;
  /** Preselected time zone of a new schedule; usually that of the user. */
  readonly userZone?: string;
  readonly submitLabel: string;
  readonly isPending?: boolean;
  readonly unavailable?: string | undefined;
  readonly error?: unknown;
  /** The time zone is absent if it is the default. */
  readonly onSubmit: (time: StartTime) => void;
  readonly onCancel?: () => void;
}

/** Form for one start time of a schedule: presets, time, time zone, or a cron expression, with the next five times. */
export function ScheduleForm(props: ScheduleFormProps) {
  const { initial, defaultZone, userZone = defaultZone, onSubmit } = props;
  const now = useNow();
  const [draft, setDraft] = useState<ScheduleDraft>(() =>
    initial === undefined
      ? createDraft(userZone, now)
      : readDraft(initial.expression, createDraft(initial.zone ?? defaultZone, now)),
  );
  const change = (changes: Partial<ScheduleDraft>): void => setDraft({ ...draft, ...changes });
  const problem = findDraftError(draft);
  const expression = toExpression(draft);
  const start = useMemo(() => [expression], [expression]);
  const submit = (): void =>
    onSubmit(draft.zone === defaultZone ? { expression } : { expression, zone: draft.zone });
  return (
    <form
      className={styles.form}
      aria-label="Schedule"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined && props.isPending !== true) submit();
      }}
    >
      <FieldErrorScope error={props.error}>
        <div className={styles.kinds}>
          <Segmented
            label="Repeat"
            value={draft.kind}
            choices={scheduleKinds.map((value) => ({ value, label: kindLabels[value] }))}
            onChange={(kind) => change({ kind, ...(kind === 'cron' && { cron: seedCron(draft) }) })}
          />
        </div>
        <div className={styles.fields}>
          <KindFields draft={draft} change={change} />
          <ZonePicker zone={draft.zone} onChange={(zone) => change({ zone })} />
        </div>
        {problem === undefined ? (
          <NextFive start={start} zone={draft.zone} words={formatCron(expression)} />
        ) : (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <FormErrorNotice error={props.error} />
      </FieldErrorScope>
      <FormActions {...props} isBlocked={problem !== undefined} />
    </form>
  );
}

type FormActionsProps = Pick<ScheduleFormProps, 'submitLabel' | 'isPending' | 'unavailable' | 'onCancel'> & {
  readonly isBlocked: boolean;
};

function FormActions({ submitLabel, isPending = false, unavailable, onCancel, isBlocked }: FormActionsProps) {
  return (
    <div className={styles.actions}>
      <Button
        type="submit"
        variant="primary"
        icon={CalendarCheck}
        isPending={isPending}
        isDisabled={isBlocked}
        unavailable={unavailable}
      >
        {submitLabel}
      </Button>
      {onCancel && <Button onPress={onCancel}>Cancel</Button>}
    </div>
  );
}

interface ZonePickerProps {
  readonly zone: string;
  readonly onChange: (zone: string) => void;
}

function ZonePicker({ zone, onChange }: ZonePickerProps) {
  return (
    <div className={styles.field}>
      <span aria-hidden="true">Time zone</span>
      <NativeSelect
        isField
        aria-label="Time zone"
        value={zone}
        onChange={({ target }) => onChange(target.value)}
      >
        <ZoneOptions />
      </NativeSelect>
    </div>
  );
}

/** Continues with the expression of the preset, because a date is no cron expression. */
const seedCron = (draft: ScheduleDraft): string =>
  draft.kind === 'once' || draft.kind === 'cron' ? draft.cron : toExpression(draft);

interface KindFieldsProps {
  readonly draft: ScheduleDraft;
  readonly change: (changes: Partial<ScheduleDraft>) => void;
}

function KindFields({ draft, change }: KindFieldsProps) {
  switch (draft.kind) {
    case 'minutes':
      return (
        <label className={styles.field}>
          <span>Every</span>
          <NativeSelect
            isField
            value={draft.every}
            onChange={({ target }) => change({ every: Number(target.value) })}
          >
            {intervals.map((count) => (
              <option key={count} value={count}>
                {count === 1 ? 'minute' : `${count} minutes`}
              </option>
            ))}
          </NativeSelect>
        </label>
      );
    case 'hourly':
      return (
        <label className={styles.field}>
          <span>Minute of the hour</span>
          <input
            type="number"
            min={0}
            max={59}
            required
            value={draft.minute}
            onChange={({ target }) =>
              change({ minute: Math.min(59, Math.max(0, Math.trunc(target.valueAsNumber || 0))) })
            }
          />
        </label>
      );
    case 'cron':
      return (
        <div className={styles.cron}>
          <TextField
            label="Cron expression"
            value={draft.cron}
            onChange={(cron) => change({ cron })}
            description="Minute, hour, day of month, month, day of week."
          />
        </div>
      );
    case 'daily':
    case 'weekdays':
    case 'weekly':
    case 'monthly':
    case 'once':
      return <DayFields draft={draft} change={change} />;
  }
}

function DayFields({ draft, change }: KindFieldsProps) {
  return (
    <>
      {draft.kind === 'weekly' && (
        <Weekdays days={draft.weekdays} onChange={(weekdays) => change({ weekdays })} />
      )}
      {draft.kind === 'monthly' && (
        <label className={styles.field}>
          <span>Day</span>
          <NativeSelect isField value={draft.day} onChange={({ target }) => change({ day: target.value })}>
            {Array.from({ length: 31 }, (_, index) => (
              <option key={index} value={index + 1}>
                {index + 1}
              </option>
            ))}
            <option value="L">Last day</option>
          </NativeSelect>
        </label>
      )}
      {draft.kind === 'once' && (
        <label className={styles.field}>
          <span>Date</span>
          <input
            type="date"
            required
            value={draft.date}
            onChange={({ target }) => change({ date: target.value })}
          />
        </label>
      )}
      <TimePicker time={draft.time} onChange={(time) => change({ time })} />
    </>
  );
}

const pad = (value: number): string => String(value).padStart(2, '0');

/** Hour and minute. The browser's own field ignores the 24-hour setting. */
function TimePicker({
  time,
  onChange,
}: {
  readonly time: string;
  readonly onChange: (time: string) => void;
}) {
  const isTwelve = usePreferences(({ clock }) => clock === '12');
  const [hour = '', minute = ''] = time.split(':');
  const getName = (value: number): string =>
    isTwelve ? `${value % 12 === 0 ? 12 : value % 12} ${value < 12 ? 'am' : 'pm'}` : pad(value);
  return (
    <div className={styles.field} role="group" aria-label="Time">
      <span aria-hidden="true">Time</span>
      <span className={styles.time}>
        <NativeSelect
          isField
          aria-label="Hour"
          value={hour}
          onChange={({ target }) => onChange(`${target.value}:${minute}`)}
        >
          {Array.from({ length: 24 }, (_, value) => (
            <option key={value} value={pad(value)}>
              {getName(value)}
            </option>
          ))}
        </NativeSelect>
        :
        <NativeSelect
          isField
          aria-label="Minute"
          value={minute}
          onChange={({ target }) => onChange(`${hour}:${target.value}`)}
        >
          {Array.from({ length: 60 }, (_, value) => (
            <option key={value} value={pad(value)}>
              {pad(value)}
            </option>
          ))}
        </NativeSelect>
      </span>
    </div>
  );
}

/** From Monday to Sunday, with their numbers in cron. */
const weekdayLabels = [
  [1, 'Mon', 'Monday'],
  [2, 'Tue', 'Tuesday'],
  [3, 'Wed', 'Wednesday'],
  [4, 'Thu', 'Thursday'],
  [5, 'Fri', 'Friday'],
  [6, 'Sat', 'Saturday'],
  [0, 'Sun', 'Sunday'],
] as const;

interface WeekdaysProps {
  readonly days: readonly number[];
  readonly onChange: (days: readonly number[]) => void;
}

function Weekdays({ days, onChange }: WeekdaysProps) {
  return (
    <div className={styles.field}>
      <span aria-hidden="true">Days</span>
      <ToggleButtonGroup
        aria-label="Days"
        className={styles.weekdays}
        selectionMode="multiple"
        selectedKeys={days}
        onSelectionChange={(keys) => onChange([...keys].map(Number))}
      >
        {weekdayLabels.map(([day, label, name]) => (
          <ToggleButton key={day} id={day} className={styles.weekday} aria-label={name}>
            {label}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  );
}
