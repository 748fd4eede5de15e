import { Clock3 } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { ScrollArea } from '../../ui/page.tsx';
import { LateDayMark } from '../expectations/expectations.tsx';
import {
  formatCounts,
  formatCount,
  formatRuns,
  getInfrequent,
  getMarks,
  getTotal,
  type HourTable,
  type Mark,
} from './hour-counts.ts';
import styles from './calendar.module.css';

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** Formats a date: `Mon 23 Nov`. */
export const formatWeekday = (date: string): string => dayFormat.format(Date.parse(date));

/** Formats an hour of the clock: `06:00`. */
export const formatHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** An hour of a day. */
export interface HourRef {
  readonly date: string;
  readonly hour: number;
}

interface WeekGridProps {
  readonly dates: readonly string[];
  readonly table: HourTable;
  /** The current hour. */
  readonly now: HourRef;
  readonly selected: HourRef | undefined;
  readonly onSelect: (hour: HourRef) => void;
  readonly onDay: (date: string) => void;
  /** Names of single runs in hours with few of them, by `date hour`. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Number of late, long and missing runs by date. */
  readonly late: ReadonlyMap<string, number>;
}

/** A week with the number of scheduled times per hour. Arrow keys move between hours; Enter opens the list of one. */
export function WeekGrid(props: WeekGridProps) {
  const { dates, table, now, selected, onSelect, onDay, names, late } = props;
  const today = useRef<HTMLTableCellElement>(null);
  // One hour is reachable with Tab; arrow keys move on from there.
  const entry = [selected, now].find((one) => one !== undefined && dates.includes(one.date)) ?? {
    date: dates[0],
    hour: 0,
  };
  const grid = useRef<HTMLTableElement>(null);
  useEffect(() => {
    // Only sideways: scrolling the page itself would hide what is above.
    const area = grid.current?.parentElement;
    if (area && today.current) area.scrollLeft = today.current.offsetLeft - 60;
  }, [dates[0]]); // oxlint-disable-line react-hooks/exhaustive-deps -- once per week
  return (
    <ScrollArea className={styles.gridArea} aria-label="Scheduled runs by hour">
      {/* The listener serves the buttons in the cells. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <table ref={grid} className={styles.grid} onKeyDown={(event) => moveFocus(event, grid.current)}>
        <WeekHead dates={dates} table={table} now={now} today={today} onDay={onDay} late={late} />
        <tbody>
          {hours.map((hour) => (
            <tr key={hour}>
              <th scope="row">{formatHour(hour)}</th>
              {dates.map((date) => (
                <HourCell
                  key={date}
                  date={date}
                  hour={hour}
                  table={table}
                  isNow={date === now.date && hour === now.hour}
                  isSelected={date === selected?.date && hour === selected.hour}
                  isEntry={date === entry.date && hour === entry.hour}
                  names={names.get(`${date} ${hour}`)}
                  onSelect={onSelect}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

type WeekHeadProps = Pick<WeekGridProps, 'dates' | 'table' | 'now' | 'onDay' | 'late'> & {
  readonly today: React.RefObject<HTMLTableCellElement | null>;
};

/** The days of a week with their totals; each opens its day. */
function WeekHead({ dates, table, now, today, onDay, late }: WeekHeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className="visually-hidden">Hour</span>
        </th>
        {dates.map((date) => (
          <th
            key={date}
            ref={date === now.date ? today : undefined}
            scope="col"
            data-today={date === now.date || undefined}
          >
            <button type="button" className={styles.dayHead} onClick={() => onDay(date)}>
              <span>{formatWeekday(date)}</span>{' '}
              {date === now.date && <span className={styles.today}>Today</span>}
              <span className={styles.dayTotal}>{formatRuns(getTotal(table.getDay(date)))}</span>
            </button>
            <LateDayMark count={late.get(date)} />
            <ClockChange text={table.getChange(date)} />
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Mark of a day with a daylight saving change. */
export function ClockChange({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <span className={styles.clockChange}>
      <Clock3 size={12} aria-hidden="true" />
      {text}
    </span>
  );
}

interface HourCellProps extends HourRef {
  readonly table: HourTable;
  readonly isNow: boolean;
  readonly isSelected: boolean;
  readonly isEntry: boolean;
  readonly names: readonly string[] | undefined;
  readonly onSelect: (hour: HourRef) => void;
}

const HourCell = memo(function HourCell(props: HourCellProps) {
  const { date, hour, table, isNow, isSelected, isEntry, names, onSelect } = props;
  const counts = table.at(date, hour);
  const [total, infrequent] = [getTotal(counts), getInfrequent(counts)];
  const rest = total - (names === undefined ? infrequent : names.length);
  const clock = table.clockAt(date, hour);
  if (clock === 'skipped') {
    return (
      <td className={styles.skipped} title="This hour does not exist: clocks go forward.">
        <span className="visually-hidden">Does not exist: clocks go forward</span>
      </td>
    );
  }
  const found = getMarks(counts);
  const words = `${formatWeekday(date)} ${formatHour(hour)}: ${formatCounts(counts)}${
    clock === undefined ? '' : ', this hour occurs twice'
  }`;
  return (
    <td data-now={isNow || undefined}>
      <button
        type="button"
        className={styles.cell}
        tabIndex={isEntry ? 0 : -1}
        data-hour
        data-density={table.densityAt(date, hour)}
        data-resting={found.includes('resting') || undefined}
        aria-pressed={isSelected}
        aria-label={[words, ...(names ?? [])].join(' ')}
        title={words}
        onClick={() => onSelect({ date, hour })}
      >
        {names === undefined
          ? infrequent > 0 && <span>{formatCount(infrequent)}</span>
          : names.map((name) => (
              <span key={name} className={styles.cellName}>
                {name}
              </span>
            ))}
        {rest > 0 && <span>+{formatCount(rest)}</span>}
        {found.length > 0 && <Marks marks={found} />}
      </button>
    </td>
  );
});

/** Marks of an hour; their meaning is in its accessible name. */
export function Marks({ marks: found }: { readonly marks: readonly Mark[] }) {
  return (
    <span className={styles.marks} aria-hidden="true">
      {found.map((mark) => (
        <i key={mark} className={styles.mark} data-mark={mark} />
      ))}
    </span>
  );
}

const steps: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Moves the focus to the next hour in the direction of an arrow key. */
function moveFocus(event: React.KeyboardEvent, grid: HTMLTableElement | null): void {
  const step = steps[event.key];
  const cell = event.target instanceof HTMLElement && event.target.closest('td');
  if (step === undefined || !cell || grid === null) return;
  event.preventDefault();
  const row = cell.parentElement as HTMLTableRowElement;
  let [rowIndex, column] = [row.rowIndex, cell.cellIndex];
  for (;;) {
    rowIndex += step[0];
    column += step[1];
    const next = grid.rows[rowIndex]?.cells[column];
    if (next === undefined) return;
    const button = next.querySelector<HTMLElement>('[data-hour]');
    if (button === null) continue;
    button.focus();
    return;
  }
}
