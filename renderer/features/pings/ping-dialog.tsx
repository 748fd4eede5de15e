import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import type { PingCheckView } from '../../../core/contract/pings.ts';
import type { StepStatus } from '../../../core/model/run.ts';
import { parseSpan } from '../../../core/base/duration.ts';
import { formatCron } from '../../format/time.ts';
import { StatusShape } from '../../ui/status.tsx';
import { usePingMutation } from '../../api/expectation-queries.ts';
import { Select } from '../../ui/choices.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import styles from './pings.module.css';

const shapes = {
  new: 'not_started',
  ok: 'succeeded',
  running: 'running',
  late: 'queued',
  missing: 'failed',
  failed: 'failed',
} as const satisfies Readonly<Record<PingCheckView['status'], StepStatus>>;

const labels = {
  new: 'No ping yet',
  ok: 'OK',
  running: 'Running',
  late: 'Late',
  missing: 'Missing',
  failed: 'Failed',
} as const satisfies Readonly<Record<PingCheckView['status'], string>>;

/** The status of a check as icon and words. */
export const PingStatus = ({ status }: Pick<PingCheckView, 'status'>) => (
  <span className={styles.status}>
    <StatusShape status={shapes[status]} size={12} />
    {labels[status]}
  </span>
);

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** Formats seconds as a duration that can be typed: `1d`, `1h30m`. */
function formatSpan(seconds: number): string {
  let rest = seconds;
  let text = '';
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest %= size;
  }
  return text;
}

/** Formats when pings are expected: `every 1d, grace 1h`. */
export const formatExpected = ({ schedule, timezone, periodSec, graceSec }: PingCheckView): string => {
  const zone = timezone === undefined ? '' : ` (${timezone})`;
  const when = periodSec === undefined ? formatCron(schedule ?? '') + zone : `every ${formatSpan(periodSec)}`;
  return `${when}, grace ${formatSpan(graceSec)}`;
};

/** What is typed into the form. */
interface PingForm {
  readonly name: string;
  readonly by: 'period' | 'schedule';
  readonly period: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly grace: string;
  readonly tags: string;
}

const toForm = (check: PingCheckView | undefined): PingForm => ({
  name: check?.name ?? '',
  by: check?.schedule === undefined ? 'period' : 'schedule',
  period: check?.periodSec === undefined ? '1d' : formatSpan(check.periodSec),
  schedule: check?.schedule ?? '30 2 * * *',
  timezone: check?.timezone ?? '',
  grace: check === undefined ? '1h' : formatSpan(check.graceSec),
  tags: check?.tags.join(', ') ?? '',
});

/** Parses a duration to whole seconds; undefined if it is not one, or less than a minute. */
function readSpan(text: string): number | undefined {
  const seconds = Math.round(parseSpan(text.trim()) ?? 0);
  return seconds < 60 ? undefined : seconds;
}

const spanError = (text: string): string | undefined =>
  readSpan(text) === undefined ? 'Use a duration of at least a minute, such as 30m, 1h or 1d.' : undefined;

const toSettings = ({ by, period, schedule, timezone, grace, tags }: PingForm) => ({
  graceSec: readSpan(grace),
  tags: tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== ''),
  ...(by === 'period'
    ? { periodSec: readSpan(period) }
    : { schedule: schedule.trim(), ...(timezone.trim() !== '' && { timezone: timezone.trim() }) }),
});

const bases = [
  { value: 'period', label: 'At least every' },
  { value: 'schedule', label: 'On a cron schedule' },
] as const;

interface PingDialogProps {
  /** The check to edit; absent to create one. */
  readonly check?: PingCheckView;
  readonly onDone: (name: string) => void;
  readonly onClose: () => void;
}

/** Creates or edits a ping check. If the engine rejects the request, the dialog says why. */
export function PingDialog({ check, onDone, onClose }: PingDialogProps) {
  const [form, setForm] = useState<PingForm>(() => toForm(check));
  const create = usePingMutation('pings.create');
  const update = usePingMutation('pings.update');
  const { name, by, period, grace } = form;
  const isBlocked =
    name.trim() === '' ||
    readSpan(grace) === undefined ||
    (by === 'period' && readSpan(period) === undefined);
  const submit = (): void => {
    const settings = toSettings(form);
    const onSuccess = (made: PingCheckView): void => {
      onDone(made.name);
      onClose();
    };
    if (check === undefined) create.mutate({ name: name.trim(), ...settings }, { onSuccess });
    else update.mutate({ name: check.name, newName: name.trim(), ...settings }, { onSuccess });
  };
  return (
    <FormDialog
      title={check === undefined ? 'New ping check' : `Edit ${check.name}`}
      submit={{
        label: check === undefined ? 'Create check' : 'Save',
        icon: check === undefined ? Plus : Check,
        isPending: create.isPending || update.isPending,
        isBlocked,
      }}
      error={create.error ?? update.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <PingFields form={form} onChange={(change) => setForm({ ...form, ...change })} />
    </FormDialog>
  );
}

interface PingFieldsProps {
  readonly form: PingForm;
  readonly onChange: (change: Partial<PingForm>) => void;
}

function PingFields({ form, onChange }: PingFieldsProps) {
  const { name, by, grace, tags } = form;
  return (
    <>
      <TextField
        label="Name"
        name="name"
        value={name}
        onChange={(text) => onChange({ name: text })}
        autoFocus
        description="Letters, digits, _, . and -"
      />
      <Select
        label="Pings expected"
        isLabelled
        value={by}
        choices={bases}
        onChange={(chosen) => onChange({ by: chosen })}
      />
      <TimeFields form={form} onChange={onChange} />
      <TextField
        label="Grace time"
        name="graceSec"
        value={grace}
        onChange={(text) => onChange({ grace: text })}
        description="How late a ping may be, and how long the job may run"
        error={spanError(grace)}
      />
      <TextField
        label="Tags"
        name="tags"
        value={tags}
        onChange={(text) => onChange({ tags: text })}
        description="Separated by commas. Optional"
      />
    </>
  );
}

function TimeFields({ form: { by, period, schedule, timezone }, onChange }: PingFieldsProps) {
  if (by === 'period')
    return (
      <TextField
        label="Period"
        name="periodSec"
        value={period}
        onChange={(text) => onChange({ period: text })}
        description="Longest time between pings, such as 1h or 1d"
        error={spanError(period)}
      />
    );
  return (
    <>
      <TextField
        label="Cron expression"
        name="schedule"
        value={schedule}
        onChange={(text) => onChange({ schedule: text })}
      />
      <TextField
        label="Time zone"
        name="timezone"
        value={timezone}
        onChange={(text) => onChange({ timezone: text })}
        description="Such as Europe/Berlin. Default: time zone of the engine"
      />
    </>
  );
}
