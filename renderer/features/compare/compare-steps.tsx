import { useState } from 'react';
import type { StepRunView } from '../../../core/contract/run-views.ts';
import { formatDuration } from '../../format/duration.ts';
import { statusToken } from '../../format/status.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { pressRow } from '../../ui/layout/row-press.ts';
import table from '../../ui/layout/table.module.css';
import { StatusBadge } from '../../ui/status/status-badge.tsx';
import type { ComparedStep } from './compare-runs.ts';
import styles from './compare.module.css';
import { describeDelta } from './describe-delta.ts';

interface CompareStepsProps {
  readonly steps: readonly ComparedStep[];
  /** Shows both logs of a step. */
  readonly onOpen: (name: string, section: 'step' | 'handler') => void;
}

/** Differences below this are noise, milliseconds, and as a share of the time before. */
const leastDelta = 50;
const leastShare = 0.1;

const isNotable = ({ differs, delta, leftSpan = 0 }: ComparedStep): boolean =>
  differs || (delta !== undefined && Math.abs(delta) >= Math.max(leastDelta, leftSpan * leastShare));

/** Each step of both runs: how it ended, and how long it took as bars of one scale. */
export function CompareSteps({ steps, onOpen }: CompareStepsProps) {
  const [filter, setFilter] = useState<'all' | 'notable'>('all');
  const notable = steps.filter(isNotable);
  const rows = filter === 'notable' ? notable : steps;
  const most = Math.max(1, ...steps.flatMap(({ leftSpan = 0, rightSpan = 0 }) => [leftSpan, rightSpan]));
  return (
    <>
      <div className={styles.bar}>
        <Segmented
          label="Show"
          value={filter}
          choices={[
            { value: 'all', label: `All steps (${steps.length.toLocaleString('en')})` },
            { value: 'notable', label: `Differing (${notable.length.toLocaleString('en')})` },
          ]}
          onChange={setFilter}
        />
        <span className={styles.legend} aria-hidden="true">
          <i data-side="left" /> A <i data-side="right" /> B
        </span>
      </div>
      <div className={table.scroll}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
              <th scope="col" className={styles.barColumn}>
                Time
              </th>
              <th scope="col" className={table.number}>
                Difference
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((step) => (
              <StepRow key={`${step.section}:${step.name}`} step={step} most={most} onOpen={onOpen} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface StepRowProps {
  readonly step: ComparedStep;
  readonly most: number;
  readonly onOpen: CompareStepsProps['onOpen'];
}

function StepRow({ step, most, onOpen }: StepRowProps) {
  const { name, section, left, right, leftSpan, rightSpan, delta } = step;
  const open = (): void => onOpen(name, section);
  return (
    <tr className={table.row} data-differs={step.differs || undefined} {...pressRow(open)}>
      <td>
        <button type="button" className={styles.name} onClick={open} aria-label={`Logs of ${name}`}>
          {name}
        </button>
      </td>
      <td>
        <Ending step={left} />
      </td>
      <td>
        <Ending step={right} />
      </td>
      <td>
        <span className={styles.bars}>
          <Bar span={leftSpan} most={most} step={left} side="left" />
          <Bar span={rightSpan} most={most} step={right} side="right" />
        </span>
      </td>
      <td className={table.number}>
        {delta !== undefined && leftSpan !== undefined && rightSpan !== undefined && (
          <span className={styles.delta} data-notable={isNotable(step) || undefined}>
            {delta > 0 ? '+' : delta < 0 ? '−' : ''}
            {formatDuration(Math.abs(delta))}
            <small>{describeDelta(leftSpan, rightSpan)}</small>
          </span>
        )}
      </td>
    </tr>
  );
}

function Ending({ step }: { readonly step: StepRunView | undefined }) {
  if (step === undefined) return <span className={table.faint}>not in it</span>;
  const tries = step.attempts.length;
  return (
    <span className={styles.ending} title={step.error}>
      <StatusBadge status={step.status} />
      {step.exitCode !== undefined && step.exitCode !== 0 && <small>exit {step.exitCode}</small>}
      {tries > 1 && <small>{tries} tries</small>}
    </span>
  );
}

interface BarProps {
  readonly span: number | undefined;
  readonly most: number;
  readonly step: StepRunView | undefined;
  readonly side: 'left' | 'right';
}

function Bar({ span, most, step, side }: BarProps) {
  if (span === undefined || step === undefined) return <span className={styles.noBar} />;
  return (
    <span className={styles.barLine}>
      <i
        data-side={side}
        style={
          {
            width: `${(span / most) * 100}%`,
            '--bar': `var(--status-${statusToken(step.status)})`,
          } as React.CSSProperties
        }
      />
      <small>{formatDuration(span)}</small>
    </span>
  );
}
