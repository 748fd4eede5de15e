import { useMemo, useState } from 'react';
import { findTimeZone } from '../../../../core/schedule/zone/time-zone.ts';
import type { RunSummaryView } from '../../../../core/contract/runs/run-views.ts';
import { useNow } from '../../../app/clock.ts';
import { readTimeZone } from '../../../format/time-formats.ts';
import { formatHourAndMinute } from '../../../format/time.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { SectionEmptyState, Section } from '../section.tsx';
import { LaneRow } from './lane-row.tsx';
import { buildLanes, listTicks, type Lane, type TimeWindow } from './time-window.ts';
import { useBrushSelection } from './use-brush.ts';
import styles from './timeline.module.css';

const hours = ['1', '6', '24'] as const;
type Hours = (typeof hours)[number];
const choices = hours.map((value) => ({ value, label: `${value} h` }));
/** The window advances in steps, so that bars do not move constantly. */
const stepMs = 10_000;
const hourMs = 3_600_000;
const maxLanes = 40;

interface TimelineProps {
  readonly runs: readonly RunSummaryView[];
  readonly active: readonly RunSummaryView[];
  /** Whether these are all runs of the last day. */
  readonly isComplete: boolean;
}

/** The runs of the last hours, one lane per workflow. Dragging zooms to a range. */
export function Timeline({ runs, active, isComplete }: TimelineProps) {
  const now = Math.ceil(useNow() / stepMs) * stepMs;
  const [span, setSpan] = useState<Hours>('6');
  const [zoom, setZoom] = useState<TimeWindow>();
  const window = zoom ?? { from: now - Number(span) * hourMs, until: now };
  const all = useMemo(() => join(runs, active), [runs, active]);
  const lanes = buildLanes(all, window, now);
  return (
    <Section
      title="Timeline"
      aside={
        <>
          {zoom && (
            <Button size="small" variant="quiet" onPress={() => setZoom(undefined)}>
              Reset zoom
            </Button>
          )}
          <Segmented
            label="Time range"
            value={span}
            choices={choices}
            onChange={(value) => {
              setSpan(value);
              setZoom(undefined);
            }}
          />
        </>
      }
    >
      {lanes.length === 0 ? (
        <SectionEmptyState>
          No runs {zoom ? 'in this period.' : `in the last ${span === '1' ? 'hour' : `${span} hours`}.`}
        </SectionEmptyState>
      ) : (
        <DeliveryQueues
          window={window}
          lanes={lanes}
          now={now}
          onZoom={setZoom}
          isTruncated={!isComplete && span === '24'}
        />
      )}
    </Section>
  );
}

/** Merges the runs of the last day with older ones that are still active. */
function join(runs: readonly RunSummaryView[], active: readonly RunSummaryView[]): RunSummaryView[] {
  const known = new Set(runs.map(({ name, dagRunId }) => `${name}/${dagRunId}`));
  return [...runs, ...active.filter(({ name, dagRunId }) => !known.has(`${name}/${dagRunId}`))];
}

interface LanesProps {
  readonly window: TimeWindow;
  readonly lanes: readonly Lane[];
  readonly now: number;
  readonly onZoom: (window: TimeWindow) => void;
  /** Older runs are not loaded. */
  readonly isTruncated: boolean;
}

function DeliveryQueues({ window, lanes, now, onZoom, isTruncated }: LanesProps) {
  const brush = useBrushSelection(window, onZoom);
  const ticks = listTicks(window, findTimeZone(readTimeZone()).offsetAt(now));
  const toStyle = (at: number) => ({ left: `${(100 * (at - window.from)) / (window.until - window.from)}%` });
  return (
    <div className={styles.timeline}>
      <div className={styles.axis} aria-hidden="true">
        {ticks.map((at) => {
          const label = formatHourAndMinute(new Date(at).toISOString());
          // The last one is aligned to the end of the axis.
          return (
            <span key={at} style={{ left: `min(${toStyle(at).left}, 100% - ${label.length / 2}ch)` }}>
              {label}
            </span>
          );
        })}
      </div>
      <div className={styles.lanes} {...brush.handlers}>
        <div className={styles.grid} aria-hidden="true">
          {ticks.map((at) => (
            <i key={at} style={toStyle(at)} />
          ))}
          {brush.selection && <b style={brush.selection} />}
        </div>
        {lanes.slice(0, maxLanes).map((lane) => (
          <LaneRow key={lane.name} lane={lane} />
        ))}
      </div>
      <p className={styles.hint}>
        Drag to zoom
        {lanes.length > maxLanes &&
          ` ${lanes.length - maxLanes} more workflows not shown. Choose a shorter period.`}
        {isTruncated && ' Showing the latest 1,000 runs.'}
      </p>
    </div>
  );
}
