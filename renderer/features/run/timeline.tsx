import { memo } from 'react';
import type { AttemptView, RunDetailView, StepRunView } from '../../../core/contract/run-views.ts';
import type { StepStatus } from '../../../core/model/status.ts';
import { isActive } from '../../api/queries.ts';
import { useNow } from '../../app/clock.ts';
import { formatDuration, formatTicking } from '../../format/duration.ts';
import { statusToken, statusWords } from '../../format/status.ts';
import { spanOf } from '../../format/time.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';
import { StatusShape } from '../../ui/status/status-shape.tsx';
import { listNodes } from './find-interesting.ts';
import styles from './timeline.module.css';
import { labelTick, listTicks, makeScale, placeOf, type TimelineScale } from './timeline-scale.ts';

interface TimelineProps {
  readonly run: RunDetailView;
  readonly selected: NodeRef | undefined;
  readonly onSelect: (node: NodeRef) => void;
}

/** When each step ran: one row a step, one bar an attempt. */
export function Timeline({ run, selected, onSelect }: TimelineProps) {
  const now = useNow(isActive(run));
  const nodes = listNodes(run).sort(byStart);
  const ends = nodes.flatMap(({ finishedAt }) => (finishedAt === undefined ? [] : [Date.parse(finishedAt)]));
  const from = Date.parse(run.startedAt ?? run.createdAt);
  const last =
    run.finishedAt === undefined && isActive(run) ? now : Date.parse(run.finishedAt ?? run.createdAt);
  const scale = makeScale(from, Math.max(last, from, ...ends));
  return (
    <div className={styles.timeline}>
      <div className={styles.axis} aria-hidden="true">
        <div />
        <div className={styles.track}>
          {listTicks(scale).map((offset) => (
            <span key={offset} style={{ left: `${(offset / scale.span) * 100}%` }}>
              {labelTick(offset, scale.tick)}
            </span>
          ))}
        </div>
        <div />
      </div>
      <div className={styles.rows}>
        {nodes.map((step) => (
          <TimelineRow
            key={`${step.section}:${step.name}`}
            step={step}
            scale={scale}
            now={step.status === 'running' ? now : 0}
            selected={selected?.section === step.section && selected.name === step.name}
            onSelect={onSelect}
          />
        ))}
      </div>
    </div>
  );
}

/** In the order in which they began; what has not begun comes last, in the order of the file. */
const byStart = (left: StepRunView, right: StepRunView): number => startOf(left) - startOf(right) || 0;

const startOf = ({ startedAt }: StepRunView): number =>
  startedAt === undefined ? Infinity : Date.parse(startedAt);

interface TimelineRowProps {
  readonly step: StepRunView;
  readonly scale: TimelineScale;
  /** 0 for a step that does not run. */
  readonly now: number;
  readonly selected: boolean;
  readonly onSelect: (node: NodeRef) => void;
}

const TimelineRow = memo(
  function TimelineRow({ step, scale, now, selected, onSelect }: TimelineRowProps) {
    const took = step.startedAt === undefined ? undefined : spanOf(step.startedAt, step.finishedAt, now);
    return (
      <button
        type="button"
        className={styles.row}
        aria-pressed={selected}
        onClick={() => onSelect({ section: step.section, name: step.name })}
      >
        <span className={styles.name}>
          <StatusShape status={step.status} />
          <span>{step.name}</span>
          <span className="visually-hidden">{`, ${statusWords[step.status].toLowerCase()}, `}</span>
        </span>
        <span className={styles.track}>
          {step.attempts.map((attempt, index) => (
            <Bar
              key={attempt.attempt}
              attempt={attempt}
              status={index === step.attempts.length - 1 ? step.status : 'failed'}
              scale={scale}
              now={now}
            />
          ))}
        </span>
        <span className={styles.took}>
          {took !== undefined && (step.finishedAt === undefined ? formatTicking(took) : formatDuration(took))}
        </span>
      </button>
    );
  },
  (before, after) =>
    before.step === after.step &&
    before.now === after.now &&
    before.selected === after.selected &&
    before.scale.from === after.scale.from &&
    before.scale.span === after.scale.span,
);

interface BarProps {
  readonly attempt: AttemptView;
  readonly status: StepStatus;
  readonly scale: TimelineScale;
  readonly now: number;
}

function Bar({ attempt, status, scale, now }: BarProps) {
  const left = placeOf(scale, Date.parse(attempt.startedAt));
  const width = (spanOf(attempt.startedAt, attempt.finishedAt, now) / scale.span) * 100;
  return (
    <i
      className={styles.bar}
      data-status={status}
      style={
        {
          left: `${left}%`,
          width: `${Math.max(0, width)}%`,
          '--bar': `var(--status-${statusToken(status)})`,
        } as React.CSSProperties
      }
    />
  );
}
