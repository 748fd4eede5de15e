import { useMemo, useState } from 'react';
import { Equal, ScrollText } from 'lucide-react';
import type { StepRunView, RunDetailView } from '../../../core/contract/run-views.ts';
import { formatDuration } from '../../format/time.ts';
import { statusToken } from '../../format/labels.ts';
import { Segmented, Select } from '../../ui/choices.tsx';
import table from '../../ui/list/list.module.css';
import { VirtualTable, type Column } from '../../ui/list/virtual-table.tsx';
import { StatusBadge } from '../../ui/status.tsx';
import { EmptyState } from '../../ui/state.tsx';
import { Split } from '../../ui/splitter.tsx';
import rerunStyles from '../run/timeline.module.css';
import { formatValue } from '../run/run-values.tsx';
import { StreamedLog } from '../log/open-log.tsx';
import { type ComparedStep, formatDelta, type ComparedValue } from './compare-runs.ts';
import styles from './compare.module.css';

/** The letter of one of the two runs, in its color. */
export const SideMark = ({ side }: { readonly side: 'A' | 'B' }) => (
  <b className={styles.mark} data-side={side}>
    {side}
  </b>
);

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
        getKey={({ section, name }) => `${section}:${name}`}
        getName={({ name }) => name}
        onOpen={({ name, section }) => onOpen(name, section)}
        isRoomy
        minWidth={820}
        foot={rows.length === 0 && <p className={rerunStyles.none}>No differences</p>}
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
  {
    id: 'left',
    header: <SideMark side="A" />,
    width: '16%',
    cell: ({ left }) => <StepResultCell step={left} />,
  },
  {
    id: 'right',
    header: <SideMark side="B" />,
    width: '16%',
    cell: ({ right }) => <StepResultCell step={right} />,
  },
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
      <small>{formatDelta(leftSpan, rightSpan)}</small>
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

interface CompareValuesProps {
  readonly params: readonly ComparedValue[];
  readonly outputs: readonly ComparedValue[];
}

/** Parameters and outputs of both runs, by name. */
export function CompareValues({ params, outputs }: CompareValuesProps) {
  if (params.length + outputs.length === 0)
    return <EmptyState icon={Equal} title="No parameters or outputs" />;
  return (
    <div className={table.scroll}>
      <table className={`${table.table} ${styles.values}`}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">
              <SideMark side="A" />
            </th>
            <th scope="col">
              <SideMark side="B" />
            </th>
          </tr>
        </thead>
        <Group title="Parameters" values={params} />
        <Group title="Outputs" values={outputs} />
      </table>
    </div>
  );
}

function Group({ title, values }: { readonly title: string; readonly values: readonly ComparedValue[] }) {
  if (values.length === 0) return null;
  return (
    <tbody>
      <tr className={styles.group}>
        <th scope="rowgroup" colSpan={3}>
          {title}
        </th>
      </tr>
      {values.map(({ name, left, right, differs }) => (
        <tr key={name} data-differs={differs || undefined}>
          <td>
            <code>{name}</code>
            {differs && <span className={styles.changed}>different</span>}
          </td>
          <Value value={left} />
          <Value value={right} />
        </tr>
      ))}
    </tbody>
  );
}

const Value = ({ value }: { readonly value: unknown }) => (
  <td>
    {value === undefined ? <span className={table.faint}>not set</span> : <pre>{formatValue(value)}</pre>}
  </td>
);

interface CompareLogsProps {
  readonly left: RunDetailView;
  readonly right: RunDetailView;
  readonly steps: readonly ComparedStep[];
  /** Name of the step; null for the default: the first step that differs. */
  readonly name: string | null;
  readonly section: 'step' | 'handler';
  readonly onChoose: (name: string, section: 'step' | 'handler') => void;
}

/** The logs of one step in both runs, side by side. */
export function CompareLogs({ left, right, steps, name, section, onChoose }: CompareLogsProps) {
  const chosen =
    steps.find((step) => step.name === name && step.section === section) ??
    steps.find(({ differs }) => differs) ??
    steps[0];
  if (chosen === undefined) return <EmptyState icon={ScrollText} title="No steps" />;
  const key = `${chosen.section}:${chosen.name}`;
  return (
    <>
      <div className={styles.bar}>
        <Select
          label="Step"
          value={key}
          choices={steps.map((step) => ({
            value: `${step.section}:${step.name}`,
            label: step.differs ? `${step.name} (different)` : step.name,
          }))}
          onChange={(value) => {
            const step = steps.find((one) => `${one.section}:${one.name}` === value);
            if (step) onChoose(step.name, step.section);
          }}
        />
      </div>
      <Split
        id="compare.logs"
        label="Log panel size"
        direction="columns"
        initial={0.5}
        first={<SideLog key={`a${key}`} label="A" run={left} step={chosen.left} />}
        second={<SideLog key={`b${key}`} label="B" run={right} step={chosen.right} />}
      />
    </>
  );
}

interface SideLogProps {
  readonly label: 'A' | 'B';
  readonly run: RunDetailView;
  readonly step: StepRunView | undefined;
}

function SideLog({ label, run, step }: SideLogProps) {
  if (step === undefined) return <EmptyState icon={ScrollText} title={`Step not in run ${label}`} />;
  const attempt = step.attempts.at(-1);
  const { name, dagRunId } = run;
  const failed = step.status === 'failed' || step.status === 'aborted';
  return (
    <section className={styles.log} aria-label={`Log of run ${label}`}>
      <StreamedLog
        run={run}
        step={step}
        address={
          attempt && { name, dagRunId, step: step.name, section: step.section, attempt: attempt.attempt }
        }
        end={attempt?.finishedAt === undefined ? undefined : { failed }}
        controls={
          <>
            <SideMark side={label} />
            <StatusBadge status={step.status} />
          </>
        }
      />
    </section>
  );
}
