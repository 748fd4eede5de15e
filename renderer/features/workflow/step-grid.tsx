import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import type { RunSummaryView } from '../../../core/contract/run-views.ts';
import type { StepStatus } from '../../../core/model/run.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { statusLabels, statusToken } from '../../format/labels.ts';
import { formatDayAndTime, formatDuration, getSpan } from '../../format/time.ts';
import { paths, withQuery } from '../../navigation/address.ts';
import { useStepHistory } from '../../api/statistics-queries.ts';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import { StatusShape } from '../../ui/status.tsx';
import styles from './step-grid.module.css';

type RunSteps = OperationOutput<'runs.stepHistory'>['runs'][number];

/** Steps of the workflow in their order, then those that only earlier versions have. */
export function listGridSteps(workflow: Workflow, runs: readonly RunSteps[]): string[] {
  const names = new Set(workflow.steps.map(({ name }) => name));
  for (const { steps } of runs) for (const { name } of steps) names.add(name);
  return [...names];
}

interface StepGridProps {
  readonly name: string;
  readonly workflow: Workflow;
}

/** The steps of the workflow by its newest runs, latest on the right. */
export function StepGrid({ name, workflow }: StepGridProps) {
  const history = useStepHistory(name);
  return (
    <QueryState query={history} what="The runs">
      {({ runs }) =>
        runs.length === 0 ? (
          <EmptyState illustration="runs" title="No runs yet">
            <p>Each run adds a column with the status of its steps.</p>
          </EmptyState>
        ) : (
          <ScrollArea className={styles.scroll} aria-label="Steps by run">
            <Grid runs={runs.toReversed()} steps={listGridSteps(workflow, runs)} />
          </ScrollArea>
        )
      }
    </QueryState>
  );
}

interface Cell {
  /** 0 is the row of the runs. */
  readonly row: number;
  readonly column: number;
}

const moves: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

interface GridProps {
  /** Oldest first. */
  readonly runs: readonly RunSteps[];
  readonly steps: readonly string[];
}

function Grid({ runs, steps }: GridProps) {
  const table = useRef<HTMLTableElement>(null);
  // The newest run is on the right.
  useLayoutEffect(() => {
    const area = table.current?.parentElement;
    if (area) area.scrollLeft = area.scrollWidth;
  }, []);
  const [chosen, setChosen] = useState<Cell>();
  const [focus, setFocus] = useState<Cell>({ row: 0, column: runs.length - 1 });
  const reachable = {
    row: Math.min(focus.row, steps.length),
    column: Math.min(focus.column, runs.length - 1),
  };
  const move = (event: React.KeyboardEvent<HTMLTableElement>): void => {
    const [down, right] = moves[event.key] ?? [0, 0];
    if (down === 0 && right === 0) return;
    event.preventDefault();
    const row = Math.min(steps.length, Math.max(0, reachable.row + down));
    const column = Math.min(runs.length - 1, Math.max(0, reachable.column + right));
    setFocus({ row, column });
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)?.focus();
  };
  const cellProps = (row: number, column: number) => ({
    'data-cell': `${row} ${column}`,
    tabIndex: reachable.row === row && reachable.column === column ? 0 : -1,
    onFocus: () => setFocus({ row, column }),
    onPointerEnter: () => setChosen({ row, column }),
  });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys move between its links
    <table ref={table} className={styles.grid} onKeyDown={move} onPointerLeave={() => setChosen(undefined)}>
      <GridHead runs={runs} chosen={chosen} cellProps={cellProps} />
      <tbody>
        {steps.map((step, index) => (
          <tr key={step} data-chosen={chosen?.row === index + 1 || undefined}>
            <th scope="row" title={step}>
              {step}
            </th>
            {runs.map(({ run, steps: states }, column) => (
              <td key={run.dagRunId} data-chosen={chosen?.column === column || undefined}>
                <StepCell
                  {...cellProps(index + 1, column)}
                  run={run}
                  step={step}
                  status={states.find(({ name }) => name === step)?.status ?? 'not_started'}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface GridHeadProps extends Pick<GridProps, 'runs'> {
  readonly chosen: Cell | undefined;
  readonly cellProps: (row: number, column: number) => React.ComponentProps<'a'>;
}

/** The runs, as bars as high as their durations. */
function GridHead({ runs, chosen, cellProps }: GridHeadProps) {
  const longest = Math.max(1, ...runs.map(({ run }) => getRunSpan(run) ?? 0));
  return (
    <thead>
      <tr>
        <th scope="col" aria-label="Step" />
        {runs.map(({ run }, column) => (
          <th key={run.dagRunId} scope="col" data-chosen={chosen?.column === column || undefined}>
            <Link
              {...cellProps(0, column)}
              ref={undefined}
              href={paths.run(run.name, run.dagRunId)}
              className={styles.run}
              aria-label={formatRun(run)}
              title={formatRun(run)}
            >
              <i
                style={
                  {
                    '--bar': `var(--status-${statusToken(run.status)})`,
                    height: `${Math.max(6, (100 * (getRunSpan(run) ?? 0)) / longest)}%`,
                  } as React.CSSProperties
                }
              />
            </Link>
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface StepCellProps extends React.ComponentProps<'a'> {
  readonly run: RunSummaryView;
  readonly step: string;
  readonly status: StepStatus;
}

function StepCell({ run, step, status, ...cell }: StepCellProps) {
  const label = `${step}, ${statusLabels[status].toLowerCase()}, ${formatDayAndTime(run.startedAt ?? run.createdAt)}`;
  return (
    <Link
      {...cell}
      ref={undefined}
      href={withQuery(paths.run(run.name, run.dagRunId), { step })}
      className={styles.step}
      aria-label={label}
      title={label}
    >
      <StatusShape status={status} />
    </Link>
  );
}

/** Milliseconds; undefined unless the run has ended. */
const getRunSpan = ({ startedAt, finishedAt }: RunSummaryView): number | undefined =>
  startedAt === undefined || finishedAt === undefined ? undefined : getSpan(startedAt, finishedAt, 0);

function formatRun(run: RunSummaryView): string {
  const span = getRunSpan(run);
  const parts = [
    `Run of ${formatDayAndTime(run.startedAt ?? run.createdAt)}`,
    statusLabels[run.status].toLowerCase(),
    ...(span === undefined ? [] : [formatDuration(span)]),
  ];
  return parts.join(', ');
}
