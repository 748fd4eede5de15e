import { Link } from 'wouter';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import type { MissedView } from '../../../core/contract/run-views.ts';
import { useDagExpectations } from '../../api/expectation-queries.ts';
import { formatDuration, formatFull } from '../../format/time.ts';
import { paths } from '../../navigation/address.ts';
import { Fact } from '../../ui/detail-list.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { MissedMark } from './missed-mark.tsx';
import styles from './expectations.module.css';

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
