import { ChevronRight } from 'lucide-react';
import type { OperationInput } from '../../../core/contract/operations.ts';
import { useScheduleCalendar } from '../../api/workflow-queries.ts';
import { QueryState } from '../../ui/state.tsx';
import { EntryTable } from './entry-list.tsx';
import { formatCounts, formatCount, getMarks, getTotal, type HourTable } from './hour-counts.ts';
import { ClockChange, formatHour, formatWeekday, Marks, type HourRef } from './week-grid.tsx';
import styles from './calendar.module.css';

export type CalendarInput = OperationInput<'schedules.calendar'>;

interface HourListProps extends HourRef {
  readonly filter: Pick<CalendarInput, 'name' | 'tags' | 'group' | 'frequency' | 'zone'>;
}

/** The scheduled times of one hour, with their outcomes. */
export function HourList({ date, hour, filter }: HourListProps) {
  const calendar = useScheduleCalendar({ ...filter, fromDate: date, toDate: date, hour });
  return (
    <QueryState query={calendar} what="The hour">
      {({ entries }) =>
        entries.length === 0 ? (
          <p className={styles.quiet}>No runs</p>
        ) : (
          <EntryTable label={`Runs at ${formatHour(hour)}, ${formatWeekday(date)}`} entries={entries} />
        )
      }
    </QueryState>
  );
}

interface DayViewProps {
  readonly date: string;
  readonly table: HourTable;
  readonly now: HourRef;
  readonly selected: HourRef | undefined;
  /** Opens an hour, or closes the open one. */
  readonly onSelect: (hour: HourRef | undefined) => void;
  readonly filter: HourListProps['filter'];
}

/** A day by hour: a bar with the number of scheduled times, which expands to their list. */
export function DayView({ date, table, now, selected, onSelect, filter }: DayViewProps) {
  const counts = table.getDay(date);
  return (
    <section className={styles.dayView} aria-label={formatWeekday(date)}>
      <h2>
        {formatWeekday(date)}
        <span>{formatCounts(counts)}</span>
        <ClockChange text={table.getChange(date)} />
      </h2>
      <ul>
        {Array.from({ length: 24 }, (_, hour) => (
          <HourRow
            key={hour}
            date={date}
            hour={hour}
            table={table}
            isNow={now.date === date && now.hour === hour}
            isOpen={selected?.date === date && selected.hour === hour}
            onSelect={onSelect}
            filter={filter}
          />
        ))}
      </ul>
    </section>
  );
}

interface HourRowProps extends HourListProps {
  readonly table: HourTable;
  readonly isNow: boolean;
  readonly isOpen: boolean;
  readonly onSelect: DayViewProps['onSelect'];
}

function HourRow({ date, hour, table, isNow, isOpen, onSelect, filter }: HourRowProps) {
  const counts = table.at(date, hour);
  const total = getTotal(counts);
  const clock = table.clockAt(date, hour);
  const note =
    clock === 'skipped' ? 'Skipped: clocks go forward' : clock === 'repeated' ? 'Occurs twice' : undefined;
  return (
    <li data-now={isNow || undefined}>
      <button
        type="button"
        className={styles.hourRow}
        aria-expanded={isOpen}
        disabled={total === 0}
        onClick={() => onSelect(isOpen ? undefined : { date, hour })}
      >
        <ChevronRight size={14} aria-hidden="true" data-open={isOpen || undefined} />
        <span className={styles.hourName}>{formatHour(hour)}</span>
        <span className={styles.hourTotal}>{total > 0 && formatCount(total)}</span>
        <span className={styles.track} aria-hidden="true">
          <span
            className={styles.bar}
            data-resting={getMarks(counts).includes('resting') || undefined}
            style={{ width: `${table.max === 0 ? 0 : (100 * total) / table.max}%` }}
          />
        </span>
        <Marks marks={getMarks(counts)} />
        <span className={styles.hourWords}>{note ?? (total > 0 && formatCounts(counts))}</span>
      </button>
      {isOpen && (
        <div className={styles.hourList}>
          <HourList date={date} hour={hour} filter={filter} />
        </div>
      )}
    </li>
  );
}
