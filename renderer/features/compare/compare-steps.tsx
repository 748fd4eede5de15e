import { useMemo, useState } from 'react';
import type { StepRunView } from '../../../core/contract/runs/run-views.ts';
import { formatDuration } from '../../format/duration.ts';
import { statusToken } from '../../format/status.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import table from '../../ui/list/table.module.css';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import type { ComparedStep } from './compare-runs.ts';
import styles from './compare.module.css';
import { describeDelta } from './describe-delta.ts';

interface CompareStepsProps {
  readonly steps: readonly ComparedStep[];
  /** Opens both logs of a step. */
  readonly onOpen: (name: string, section: 'step' | 'handler') => void;
}

/** Smallest significant difference, in milliseconds, and as a fraction of the earlier duration. */
const minDelta = 50;
const minShare = 0.1;

const isNotable = ({ differs, delta, leftSpan = 0 }: ComparedStep): boolean =>
  differs || (delta !== undefined && Math.abs(delta) >= Math.max(minDelta, leftSpan * minShare));

/** Each step of both runs: its status, and its duration as bars on one scale. */
export function CompareSteps({ steps, onOpen }: CompareStepsProps) {
  const [filter, setFilter] = useState<'all' | 'notable'>('all');
  const notable = steps.filter(isNotable);
  const rows = filter === 'notable' ? notable : steps;
  const max = steps.reduce(
    (maxLength, { leftSpan = 0, rightSpan = 0 }) => Math.max(maxLength, leftSpan, rightSpan),
    1,
  );
  const columns = useMemo(() => listColumns(max, onOpen), [max, onOpen]);
  return (
    <>
      <div className={styles.bar}>
        <Segmented
          label="Show"
          value={filter}
          choices={[
            { value: 'all', label: `All steps (${steps.length.toLocaleString('en')})` },
            { value: 'notable', label: `Different (${notable.length.toLocaleString('en')})` },
          ]}
          onChange={setFilter}
        />
        <span className={styles.legend} aria-hidden="true">
          <i data-side="left" /> A <i data-side="right" /> B
        </span>
      </div>
      <VirtualTable
        label="Compared steps"
        rows={rows}
        columns={columns}
        keyOf={({ section, name }) => `${section}:${name}`}
        nameOf={({ name }) => name}
        onOpen={({ name, section }) => onOpen(name, section)}
        isRoomy
        minWidth={820}
        foot={rows.length === 0 && <p className={styles.none}>No differences</p>}
      />
    </>
  );
}

const listColumns = (max: number, onOpen: CompareStepsProps['onOpen']): readonly Column<ComparedStep>[] => [
  {
    id: 'step',
    header: 'Step',
    width: '20%',
    cell: ({ name, section }) => (
      <button
        type="button"
        className={styles.name}
        onClick={() => onOpen(name, section)}
        aria-label={`Logs of ${name}`}
        dir="auto"
        title={name}
      >
        {name}
      </button>
    ),
  },
  { id: 'left', header: 'A', width: '16%', cell: ({ left }) => <StepResultCell step={left} /> },
  { id: 'right', header: 'B', width: '16%', cell: ({ right }) => <StepResultCell step={right} /> },
  {
    id: 'time',
    header: 'Time',
    cell: ({ left, right, leftSpan, rightSpan }) => (
      <span className={styles.bars}>
        <Bar span={leftSpan} max={max} step={left} side="left" />
        <Bar span={rightSpan} max={max} step={right} side="right" />
      </span>
    ),
  },
  {
    id: 'difference',
    header: 'Difference',
    width: '152px',
    isNumber: true,
    cell: (step) => <Delta step={step} />,
  },
];

function Delta({ step }: { readonly step: ComparedStep }) {
  const { leftSpan, rightSpan, delta } = step;
  if (delta === undefined || leftSpan === undefined || rightSpan === undefined) return null;
  return (
    <span className={styles.delta} data-notable={isNotable(step) || undefined}>
      {delta > 0 ? '+' : delta < 0 ? '−' : ''}
      {formatDuration(Math.abs(delta))}
      <small>{describeDelta(leftSpan, rightSpan)}</small>
    </span>
  );
}

function StepResultCell({ step }: { readonly step: StepRunView | undefined }) {
  if (step === undefined) return <span className={table.faint}>not present</span>;
  const attempts = step.attempts.length;
  return (
    <span className={styles.ending} title={step.error}>
      <StatusBadge status={step.status} />
      {step.exitCode !== undefined && step.exitCode !== 0 && <small>exit {step.exitCode}</small>}
      {attempts > 1 && <small>{attempts} attempts</small>}
    </span>
  );
}

interface BarProps {
  readonly span: number | undefined;
  readonly max: number;
  readonly step: StepRunView | undefined;
  readonly side: 'left' | 'right';
}

function Bar({ span, max, step, side }: BarProps) {
  if (span === undefined || step === undefined) return <span className={styles.noBar} />;
  return (
    <span className={styles.barLine}>
      <i
        data-side={side}
        style={
          {
            width: `${(span / max) * 100}%`,
            '--bar': `var(--status-${statusToken(step.status)})`,
          } as React.CSSProperties
        }
      />
      <small>{formatDuration(span)}</small>
    </span>
  );
}
