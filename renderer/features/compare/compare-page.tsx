import { ArrowLeftRight } from 'lucide-react';
import { Suspense } from 'react';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { useRun } from '../../api/queries/runs/run-queries.ts';
import { useQueryParams } from '../../app/address.ts';
import { paths } from '../../app/paths.ts';
import { LazyDiff } from '../../editor/save/lazy-difference.ts';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { MissingRun } from '../run/missing-run.tsx';
import { CompareHeader } from './compare-head.tsx';
import { CompareLogs } from './compare-logs.tsx';
import { compareSteps, compareValues, paramsOf } from './compare-runs.ts';
import { CompareSteps } from './compare-steps.tsx';
import { CompareValues } from './compare-values.tsx';

interface ComparePageProps {
  readonly nameA: string;
  readonly idA: string;
  readonly nameB: string;
  readonly idB: string;
}

/** Two runs side by side: step statuses and durations, values, workflow texts and logs. */
export function ComparePage({ nameA, idA, nameB, idB }: ComparePageProps) {
  const [left, right] = [useRun(nameA, idA), useRun(nameB, idB)];
  const title = nameA === nameB ? `Two runs of ${nameA}` : `${nameA} and ${nameB}`;
  return (
    <Page
      above={<Breadcrumb trail={[{ label: 'Runs', href: paths.runs }]} />}
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
  const params = compareValues(paramsOf(left), paramsOf(right));
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
