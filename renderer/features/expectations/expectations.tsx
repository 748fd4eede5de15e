import { AlarmClock } from 'lucide-react';
import { Link } from 'wouter';
import type { MissedView, RunDetailView } from '../../../core/contract/run-views.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { pluralize } from '../../../core/base/text.ts';
import {
  formatDayAndTime,
  formatHourAndMinute,
  toDate,
  formatDuration,
  getSpan,
  formatFull,
} from '../../format/time.ts';
import { useTimeDerived, useNow } from '../../base/clock.ts';
import { useRunExpectations, useDagExpectations } from '../../api/expectation-queries.ts';
import { isActive } from '../../format/labels.ts';
import { Notice } from '../../ui/state.tsx';
import { paths } from '../../navigation/address.ts';
import { Fact } from '../../ui/detail-list.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import styles from './expectations.module.css';

type Missed = Pick<MissedView, 'kind' | 'rule' | 'deadline' | 'message' | 'resolvedAt'>;

/** Formats a miss in a few words: `Late since 06:30`. */
export function formatMissed({ kind, rule, deadline, resolvedAt }: Missed, now: number): string {
  const isToday = toDate(Date.parse(deadline)) === toDate(now);
  const time = isToday ? formatHourAndMinute(deadline) : formatDayAndTime(deadline);
  if (rule === 'start') return `Did not start at ${time}`;
  if (resolvedAt !== undefined) return `${pastWords[kind]} at ${time}`;
  return `${missedLabels[kind]} since ${time}`;
}

/** The kinds of misses. */
export const missedLabels = { late: 'Late', long: 'Long-running', missing: 'Missing' } as const;
const pastWords = { late: 'Was late', long: 'Was long-running', missing: 'Was missing' } as const;

/** The first of the misses of a workflow or run in words, with an icon; the others and details on hover. */
export function MissedMark({ missed }: { readonly missed: readonly Missed[] | undefined }) {
  const text = useTimeDerived((now) => missed?.map((miss) => formatMissed(miss, now)).join('\n') ?? '');
  if (missed === undefined || missed.length === 0) return null;
  const [first, ...others] = text.split('\n');
  return (
    <span className={styles.mark} title={missed.map(({ message }) => message).join('\n')}>
      <AlarmClock size={12} aria-hidden="true" />
      <span>
        {first}
        {others.length > 0 && ` (+${others.length})`}
      </span>
    </span>
  );
}

/** Which expectations a run has missed, and how long it usually takes while it is long. */
export function RunExpectations({ run }: { readonly run: RunDetailView }) {
  const active = isActive(run);
  const expectations = useRunExpectations(run, active).data;
  if (expectations === undefined || expectations.missed.length === 0) return null;
  const { missed, usual } = expectations;
  return (
    <Notice tone="warning">
      <ul className={styles.list}>
        {missed.map((miss) => (
          <li key={`${miss.kind} ${miss.deadline}`}>
            <MissedMark missed={[miss]} /> {miss.message}
          </li>
        ))}
      </ul>
      {active && usual.medianSeconds !== undefined && usual.runs >= usual.neededRuns && (
        <UsualAndNow medianMs={usual.medianSeconds * 1000} run={run} />
      )}
    </Notice>
  );
}

function UsualAndNow({ medianMs, run }: { readonly medianMs: number; readonly run: RunDetailView }) {
  const now = useNow();
  if (run.startedAt === undefined) return null;
  return (
    <span>
      Usually {formatDuration(medianMs)}, now {formatDuration(getSpan(run.startedAt, undefined, now))}.
    </span>
  );
}

type Expectations = OperationOutput<'dags.expectations'>;

/** What is expected of the runs of a workflow, and what was missed; nothing for a workflow without either. */
export function DagExpectations({ fileName, name }: { readonly fileName: string; readonly name: string }) {
  const expectations = useDagExpectations(fileName).data;
  if (expectations === undefined) return null;
  const { expect, missed } = expectations;
  if (expect === undefined && missed.length === 0) return null;
  return (
    <section className={styles.expectations} aria-labelledby="expectations">
      <h2 id="expectations">Expectations</h2>
      {expect !== undefined && <Expected {...expectations} />}
      {missed.length > 0 && <MissedRuns missed={missed} name={name} />}
    </section>
  );
}

function Expected({ expect = {}, zone, nextDeadline, lastSuccessAt, usual }: Expectations) {
  const { by, withinSec, everySec } = expect;
  const limit = formatLimit({ expect, usual });
  return (
    <dl className={styles.details}>
      {by !== undefined && (
        <Fact name={`Success by (${zone})`}>
          {by}
          {nextDeadline !== undefined && (
            <>
              , next <RelativeTime iso={nextDeadline} />
            </>
          )}
        </Fact>
      )}
      {withinSec !== undefined && <Fact name="End within">{formatDuration(withinSec * 1000)}</Fact>}
      {limit !== undefined && <Fact name="Longest duration">{limit}</Fact>}
      {everySec !== undefined && <Fact name="Success every">{formatDuration(everySec * 1000)}</Fact>}
      <Fact name="Last success">
        {lastSuccessAt === undefined ? 'None yet' : <RelativeTime iso={lastSuccessAt} />}
      </Fact>
    </dl>
  );
}

/** Formats the longest duration; one in terms of the usual duration says when that is not known yet. */
export function formatLimit({
  expect: { longestSec, longestTimes } = {},
  usual,
}: Pick<Expectations, 'expect' | 'usual'>): string | undefined {
  if (longestSec !== undefined) return formatDuration(longestSec * 1000);
  if (longestTimes === undefined) return undefined;
  const { runs, neededRuns, medianSeconds } = usual;
  if (medianSeconds === undefined || runs < neededRuns)
    return `${longestTimes}x usual, after ${neededRuns} successful runs (${runs} so far)`;
  const limit = formatDuration(longestTimes * medianSeconds * 1000);
  return `${limit} (${longestTimes}x usual: ${formatDuration(medianSeconds * 1000)})`;
}

function MissedRuns({ missed, name }: { readonly missed: readonly MissedView[]; readonly name: string }) {
  return (
    <ul className={styles.list} aria-label="Late, long and missing runs">
      {missed.map((miss) => (
        <li key={`${miss.kind} ${miss.deadline} ${miss.dagRunId ?? ''}`}>
          <time dateTime={miss.deadline}>{formatFull(miss.deadline)}</time> <MissedMark missed={[miss]} />{' '}
          {miss.message}{' '}
          {miss.dagRunId !== undefined && <Link href={paths.run(name, miss.dagRunId)}>Show run</Link>}
        </li>
      ))}
    </ul>
  );
}

type MissedItem = OperationOutput<'schedules.missed'>['missed'];

const maxShown = 10;
const sectionId = 'late-runs';

/** Late, long and missing runs of the displayed days. */
export function LateRuns({ missed }: { readonly missed: MissedItem }) {
  if (missed.length === 0) return null;
  return (
    <section id={sectionId} className={styles.expectations} aria-labelledby={`${sectionId}-title`}>
      <h2 id={`${sectionId}-title`}>Late, long and missing runs</h2>
      <ul className={styles.list}>
        {missed.slice(0, maxShown).map((miss) => (
          <li key={`${miss.fileName} ${miss.kind} ${miss.deadline} ${miss.dagRunId ?? ''}`}>
            <time dateTime={miss.deadline}>{formatFull(miss.deadline)}</time>{' '}
            <Link href={paths.workflow(miss.fileName)}>{miss.name}</Link> <MissedMark missed={[miss]} />{' '}
            {miss.message}{' '}
            {miss.dagRunId !== undefined && <Link href={paths.run(miss.name, miss.dagRunId)}>Show run</Link>}
          </li>
        ))}
      </ul>
      {missed.length > maxShown && <p>{missed.length - maxShown} more</p>}
    </section>
  );
}

/** Number of late, long and missing runs above the calendar; scrolls to their list. */
export function LateRunsSummary({ missed }: { readonly missed: MissedItem }) {
  if (missed.length === 0) return null;
  const show = (): void => document.getElementById(sectionId)?.scrollIntoView({ block: 'nearest' });
  return (
    <button type="button" className={styles.summary} onClick={show}>
      <AlarmClock size={12} aria-hidden="true" />
      {missed.length} late, long or missing
    </button>
  );
}

/** Counts late, long and missing runs by date in the user's time zone. */
export const countByDate = (missed: MissedItem): ReadonlyMap<string, number> =>
  new Map(
    [...Map.groupBy(missed, ({ deadline }) => toDate(Date.parse(deadline)))].map(([date, { length }]) => [
      date,
      length,
    ]),
  );

/** Mark of a day with late, long or missing runs. */
export function LateDayMark({ count }: { readonly count: number | undefined }) {
  if (count === undefined) return null;
  return (
    <span
      className={`${styles.mark} ${styles.dayMark}`}
      title={pluralize(count, 'late, long or missing run')}
    >
      <AlarmClock size={12} aria-hidden="true" />
      <span>
        {count}
        <span className="visually-hidden"> late, long or missing</span>
      </span>
    </span>
  );
}
