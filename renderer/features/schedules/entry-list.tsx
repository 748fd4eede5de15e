import { Link, useLocation } from 'wouter';
import type { CalendarEntryView } from '../../../core/contract/schedules.ts';
import type { StepStatus } from '../../../core/model/run.ts';
import { statusLabels } from '../../format/labels.ts';
import { formatHourAndMinute } from '../../format/time.ts';
import { paths } from '../../navigation/address.ts';
import table from '../../ui/list/list.module.css';
import type { TableSection } from '../../ui/list/table-row.tsx';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { StatusShape } from '../../ui/status.tsx';
import { formatCount } from './hour-counts.ts';
import styles from './calendar.module.css';

const kindLabels = { start: '', stop: 'Stop', restart: 'Restart' } as const;
const outcomeLabels = {
  due: 'upcoming',
  suspended: 'suspended',
  started: 'started',
  stopped: 'stopped',
  restarting: 'restarting',
  skipped: 'missed',
  failed: 'failed to start',
} as const;

/** Describes the outcome of an entry: `missed: the previous run is still active`. */
export function formatEntry({ kind, outcome, paused, count, reason, run }: CalendarEntryView): string {
  const ended = run === undefined || count > 1 ? '' : `, ${statusLabels[run.status].toLowerCase()}`;
  const reasonText = reason === undefined ? '' : `: ${reason}`;
  const word = paused === true ? 'paused' : outcomeLabels[outcome];
  return [kindLabels[kind], `${word}${ended}${reasonText}`].filter((part) => part !== '').join(' ');
}

/** Returns its status icon: that of its run, if there is one. */
export function toShape({ outcome, run }: CalendarEntryView): StepStatus {
  if (run !== undefined) return run.status;
  switch (outcome) {
    case 'skipped':
    case 'suspended':
      return 'skipped';
    case 'failed':
      return 'failed';
    case 'stopped':
      return 'aborted';
    case 'restarting':
      return 'running';
    case 'started':
      return 'succeeded';
    case 'due':
      return 'not_started';
  }
}

const getHref = ({ fileName, run, count }: CalendarEntryView): string =>
  run && count === 1 ? paths.run(run.name, run.dagRunId) : paths.workflow(fileName);

const columns: readonly Column<CalendarEntryView>[] = [
  {
    id: 'time',
    header: 'Time',
    width: '128px',
    cell: ({ first, last, count }) => (
      <span data-figures>
        {formatHourAndMinute(first)}
        {count > 1 && ` – ${formatHourAndMinute(last)}`}
      </span>
    ),
  },
  {
    id: 'name',
    header: 'Workflow',
    cell: (entry) => (
      <Link href={getHref(entry)} className={table.rowLink}>
        {entry.name}
      </Link>
    ),
  },
  {
    id: 'count',
    header: 'Runs',
    width: '72px',
    isNumber: true,
    cell: ({ count }) => <span data-figures>{formatCount(count)}</span>,
  },
  {
    id: 'outcome',
    header: 'Outcome',
    width: '34%',
    cell: (entry) => (
      <span className={styles.outcome} title={formatEntry(entry)}>
        <StatusShape status={toShape(entry)} />
        <span>{formatEntry(entry)}</span>
      </span>
    ),
  },
];

interface EntryTableProps {
  readonly label: string;
  readonly entries: readonly CalendarEntryView[];
  readonly sections?: readonly TableSection<CalendarEntryView>[];
  readonly onFold?: (section: string, isFolded: boolean) => void;
  readonly foot?: React.ReactNode;
}

/** A list of scheduled times of any length: one row per workflow and outcome. */
export function EntryTable({ label, entries, ...rest }: EntryTableProps) {
  const [, navigate] = useLocation();
  return (
    <VirtualTable
      label={label}
      rows={entries}
      columns={columns}
      getKey={getEntryKey}
      getName={({ name }) => name}
      onOpen={(entry) => navigate(getHref(entry))}
      minWidth={440}
      {...rest}
    />
  );
}

const getEntryKey = ({ fileName, kind, outcome, date, first, paused }: CalendarEntryView): string =>
  `${date} ${fileName} ${kind} ${outcome} ${paused === true} ${first}`;
