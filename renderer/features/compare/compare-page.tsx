import { Link } from 'wouter';
import { ArrowLeftRight } from 'lucide-react';
import { Suspense } from 'react';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { paths, useQueryParams } from '../../navigation/address.ts';
import { formatDuration, getSpan } from '../../format/time.ts';
import { formatOrigin } from '../../format/labels.ts';
import { StatusBadge } from '../../ui/status.tsx';
import { Duration, RelativeTime } from '../../ui/time.tsx';
import { useRun } from '../../api/run-queries.ts';
import { LazyDiff } from '../../code/lazy-difference.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Breadcrumb, Tabs } from '../../ui/tabs.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { Page } from '../../ui/page.tsx';
import { MissingRun } from '../run/current-run.tsx';
import styles from './compare.module.css';
import { formatDelta, compareSteps, compareValues, getParams } from './compare-runs.ts';
import { CompareLogs, CompareSteps, CompareValues, SideMark } from './compare-sections.tsx';

interface CompareHeadProps {
  readonly left: RunDetailView;
  readonly right: RunDetailView;
}

/** The two runs, and the difference of their durations. */
function CompareHeader({ left, right }: CompareHeadProps) {
  const [before, after] = [left, right].map(({ startedAt, finishedAt }) =>
    startedAt === undefined || finishedAt === undefined ? undefined : getSpan(startedAt, finishedAt, 0),
  );
  return (
    <div className={styles.head}>
      <Side run={left} label="A" />
      <Side run={right} label="B" />
      {before !== undefined && after !== undefined && (
        <p className={styles.verdict}>
          {before === after
            ? 'Same duration'
            : `B was ${formatDuration(Math.abs(after - before))} ${after > before ? 'slower' : 'faster'} than A (${formatDelta(before, after)})`}
        </p>
      )}
    </div>
  );
}

function Side({ run, label }: { readonly run: RunDetailView; readonly label: 'A' | 'B' }) {
  return (
    <section className={styles.side} aria-label={`Run ${label}`}>
      <SideMark side={label} />
      <StatusBadge status={run.status} />
      <Duration startedAt={run.startedAt} finishedAt={run.finishedAt} />
      <span>
        <RelativeTime iso={run.startedAt ?? run.createdAt} />
      </span>
      <span>{formatOrigin(run)}</span>
      <Link href={paths.run(run.name, run.dagRunId)}>
        <code>{run.dagRunId}</code>
      </Link>
    </section>
  );
}

interface ComparePageProps {
  readonly nameA: string;
  readonly idA: string;
  readonly nameB: string;
  readonly idB: string;
}

/** Two runs side by side: step statuses and durations, values, workflow texts and logs. */
export function ComparePage({ nameA, idA, nameB, idB }: ComparePageProps) {
  const [left, right] = [useRun(nameA, idA), useRun(nameB, idB)];
  const title = nameA === nameB ? `Compare runs of ${nameA}` : `Compare ${nameA} and ${nameB}`;
  return (
    <Page
      above={<Breadcrumb trail={[{ href: paths.runs }]} />}
      title={title}
      actions={
        <LinkButton
          icon={ArrowLeftRight}
          href={paths.compare({ name: nameB, dagRunId: idB }, { name: nameA, dagRunId: idA })}
        >
          Swap
        </LinkButton>
      }
    >
      <QueryState query={left} what="Run A" missing={<MissingRun name={nameA} dagRunId={idA} />}>
        {(one) => (
          <QueryState query={right} what="Run B" missing={<MissingRun name={nameB} dagRunId={idB} />}>
            {(other) => <Comparison left={one} right={other} />}
          </QueryState>
        )}
      </QueryState>
    </Page>
  );
}

const views = ['steps', 'values', 'spec', 'logs'] as const;

interface ComparisonProps {
  readonly left: RunDetailView;
  readonly right: RunDetailView;
}

function Comparison({ left, right }: ComparisonProps) {
  const [query, change] = useQueryParams();
  const view = views.find((one) => one === query.get('view')) ?? 'steps';
  const steps = compareSteps(left, right);
  const params = compareValues(getParams(left), getParams(right));
  const outputs = compareValues(left.outputs, right.outputs);
  const differing = [...params, ...outputs].filter(({ differs }) => differs).length;
  const showLog = (name: string, section: 'step' | 'handler'): void =>
    change({ view: 'logs', step: name, section: section === 'handler' ? section : undefined });
  return (
    <>
      <CompareHeader left={left} right={right} />
      <Tabs
        label="Comparison views"
        value={view}
        onChange={(next) => change({ view: next === 'steps' ? undefined : next })}
        tabs={[
          {
            id: 'steps',
            label: 'Steps',
            note: steps.filter(({ differs }) => differs).length || undefined,
            content: <CompareSteps steps={steps} onOpen={showLog} />,
          },
          {
            id: 'values',
            label: 'Parameters and outputs',
            note: differing || undefined,
            content: <CompareValues params={params} outputs={outputs} />,
          },
          { id: 'spec', label: 'YAML', content: <Specs left={left} right={right} /> },
          {
            id: 'logs',
            label: 'Logs',
            content: (
              <CompareLogs
                {...{ left, right, steps }}
                name={query.get('step')}
                section={query.get('section') === 'handler' ? 'handler' : 'step'}
                onChoose={showLog}
              />
            ),
          },
        ]}
      />
    </>
  );
}

function Specs({ left, right }: ComparisonProps) {
  if (left.spec === right.spec)
    return <EmptyState icon={ArrowLeftRight} title="Both runs use the same workflow file" />;
  return (
    <Suspense fallback={<div />}>
      <LazyDiff before={left.spec} after={right.spec} />
    </Suspense>
  );
}
