import { useCallback, useDeferredValue, useState, useMemo } from 'react';
import { useLocation } from 'wouter';
import type { RunSummaryView } from '../../../core/contract/run-views.ts';
import { paths, useAppLocation, withQuery } from '../../navigation/address.ts';
import { formatDuration, formatTimeOfDay, readTimeZone, formatHourAndMinute } from '../../format/time.ts';
import { statusToken, statusLabels } from '../../format/labels.ts';
import { StatusShape } from '../../ui/status.tsx';
import { useNow } from '../../base/clock.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choices.tsx';
import styles from './dashboard.module.css';
import { SectionEmptyState, Section } from './dashboard-lists.tsx';

/** A time range, in epoch milliseconds. */
interface TimeWindow {
  readonly from: number;
  readonly until: number;
}

/** A run as a bar, or runs too close to be distinguished, with the position in the window in percent. */
interface Bar {
  readonly runs: readonly [RunSummaryView, ...RunSummaryView[]];
  readonly left: number;
  readonly width: number;
  readonly from: number;
  readonly until: number;
}

/** The bars of one workflow. */
interface Lane {
  readonly name: string;
  readonly bars: readonly Bar[];
}

/** Minimum width in percent; narrower bars could be neither seen nor clicked. */
const minWidth = 0.35;

/** Maximum width in percent of a bar for several runs: a few pixels, so that the bars still show when runs were made. */
const maxGroupWidth = 1.5;

const minSpanMs = 600_000;

/** Shortens a window to its first run, so that the bars use the whole width; to no less than ten minutes. */
export function fitWindow(runs: readonly RunSummaryView[], window: TimeWindow): TimeWindow {
  const starts = runs
    .filter(({ finishedAt }) => finishedAt === undefined || Date.parse(finishedAt) >= window.from)
    .map(({ startedAt, createdAt }) => Date.parse(startedAt ?? createdAt));
  const first = Math.min(window.until, ...starts);
  const from = Math.floor(Math.min(first, window.until - minSpanMs) / stepMs) * stepMs;
  return { ...window, from: Math.max(window.from, from) };
}

/**
 * Returns one lane per workflow with a run in the window, by newest run.
 * @param runs newest first
 */
export function buildLanes(runs: readonly RunSummaryView[], window: TimeWindow, now: number): Lane[] {
  const lanes = new Map<string, Bar[]>();
  for (const run of runs) {
    const bar = positionBar(run, window, now);
    if (bar === undefined) continue;
    const lane = lanes.get(run.name);
    if (!lane) {
      lanes.set(run.name, [bar]);
      continue;
    }
    const group = groupBars(bar, lane.at(-1)!);
    if (group) lane[lane.length - 1] = group;
    else lane.push(bar);
  }
  return [...lanes].map(([name, bars]) => ({ name, bars }));
}

function positionBar(run: RunSummaryView, { from, until }: TimeWindow, now: number): Bar | undefined {
  const start = Date.parse(run.startedAt ?? run.createdAt);
  const end = run.finishedAt === undefined ? now : Date.parse(run.finishedAt);
  if (end < from || start > until) return undefined;
  const span = until - from;
  const left = (100 * (Math.max(start, from) - from)) / span;
  const width = Math.max(minWidth, (100 * (Math.min(end, until) - Math.max(start, from))) / span);
  return {
    runs: [run],
    left: Math.min(left, 100 - minWidth),
    width: Math.min(width, 100 - left),
    from: start,
    until: end,
  };
}

/** Returns a bar for two that touch and have the same status; undefined if they can be distinguished. */
function groupBars(bar: Bar, later: Bar): Bar | undefined {
  const left = Math.min(bar.left, later.left);
  const width = Math.max(bar.left + bar.width, later.left + later.width) - left;
  const gap = later.left - bar.left - bar.width;
  if (bar.runs[0].status !== later.runs[0].status || width > maxGroupWidth || gap > minWidth)
    return undefined;
  return {
    runs: [...later.runs, ...bar.runs],
    left,
    width,
    from: Math.min(bar.from, later.from),
    until: Math.max(bar.until, later.until),
  };
}

const minute = 60_000;
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map((minutes) => minutes * minute);

/** Width of a time label with its distance to the next one, in pixels. */
const labelWidth = 64;

/** Returns how many intervals of the axis have room for their labels. */
export const maxIntervalsIn = (width: number): number =>
  Math.min(9, Math.max(2, Math.floor(width / labelWidth)));

/**
 * Returns round times in the window for its axis.
 * @param offset milliseconds to add to UTC for the displayed time zone
 * @param maxIntervals between the times
 */
export function listTicks({ from, until }: TimeWindow, offset: number, maxIntervals = 9): number[] {
  const step = steps.find((wide) => (until - from) / wide <= maxIntervals) ?? steps.at(-1)!;
  const ticks: number[] = [];
  for (let at = Math.ceil((from + offset) / step) * step - offset; at <= until; at += step) ticks.push(at);
  return ticks;
}

/** Returns the range between two points of a drag; undefined for a click. */
export function selectTimeRange(window: TimeWindow, first: number, second: number): TimeWindow | undefined {
  const [left, right] = [Math.min(first, second), Math.max(first, second)];
  const span = window.until - window.from;
  if (right - left < 0.01 || span * (right - left) < minute) return undefined;
  return { from: window.from + span * left, until: window.from + span * right };
}

/** Selects a range by dragging. With the keyboard, the range is chosen in hours. */
function useBrushSelection(window: TimeWindow, onChoose: (window: TimeWindow) => void) {
  const [drag, setDrag] = useState<{ from: number; to: number }>();
  const shareAt = ({ clientX, currentTarget }: React.PointerEvent<HTMLElement>): number => {
    const area = currentTarget.querySelector('[data-track]')?.getBoundingClientRect();
    if (!area) return 0;
    return Math.min(1, Math.max(0, (clientX - area.left) / area.width));
  };
  const handlers = {
    onPointerDown(event: React.PointerEvent<HTMLElement>): void {
      if (event.button !== 0 || (event.target as HTMLElement).closest('a')) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: shareAt(event), to: shareAt(event) });
    },
    onPointerMove(event: React.PointerEvent<HTMLElement>): void {
      if (drag) setDrag({ ...drag, to: shareAt(event) });
    },
    onPointerUp(): void {
      const chosen = drag && selectTimeRange(window, drag.from, drag.to);
      setDrag(undefined);
      if (chosen) onChoose(chosen);
    },
    onPointerCancel: () => setDrag(undefined),
  };
  const selection = drag && {
    left: `${100 * Math.min(drag.from, drag.to)}%`,
    width: `${100 * Math.abs(drag.to - drag.from)}%`,
  };
  return { handlers, selection };
}

/** Returns a handler that follows a plain link within the app: hundreds of `Link` components take long to render. */
function useLinkClick() {
  const [, navigate] = useLocation();
  return (event: React.MouseEvent<HTMLAnchorElement>): void => {
    const { path } = event.currentTarget.dataset;
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (path === undefined || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    navigate(path);
  };
}

const { hrefs: toHref } = useAppLocation;

interface LaneRowProps {
  readonly lane: Lane;
  readonly onLink: React.MouseEventHandler<HTMLAnchorElement>;
}

/** A workflow with its runs as bars, each linking to its run. */
function LaneRow({ lane: { name, bars }, onLink }: LaneRowProps) {
  const list = withQuery(paths.runs, { name });
  return (
    <div className={styles.lane}>
      <div className={styles.laneName}>
        {bars[0] && <StatusShape status={bars[0].runs[0].status} />}
        <a href={toHref(list)} data-path={list} title={name} onClick={onLink}>
          {name}
        </a>
      </div>
      <div className={styles.track} data-track>
        {bars.map((bar) => (
          <BarLink key={bar.runs[0].dagRunId} bar={bar} onLink={onLink} />
        ))}
      </div>
    </div>
  );
}

interface BarLinkProps {
  readonly bar: Bar;
  readonly onLink: React.MouseEventHandler<HTMLAnchorElement>;
}

/** Links to the run, or to the list of the runs. */
function BarLink({ bar: { runs, left, width, from, until }, onLink }: BarLinkProps) {
  const [{ name, dagRunId, status }] = runs;
  const path = runs.length === 1 ? paths.run(name, dagRunId) : withQuery(paths.runs, { name, status });
  const start = formatTimeOfDay(new Date(from).toISOString());
  const label =
    runs.length === 1
      ? `${name}, ${statusLabels[status].toLowerCase()}, ${start}, ${formatDuration(until - from)}`
      : `${name}, ${runs.length} runs ${statusLabels[status].toLowerCase()}, ${start} to ${formatTimeOfDay(new Date(until).toISOString())}`;
  return (
    <a
      href={toHref(path)}
      data-path={path}
      onClick={onLink}
      className={styles.bar}
      data-status={status}
      aria-label={label}
      title={label}
      style={
        {
          left: `min(${left}%, 100% - 4px)`,
          width: `${width}%`,
          '--bar': `var(--status-${statusToken(status)})`,
        } as React.CSSProperties
      }
    />
  );
}

const hours = ['1', '6', '24'] as const;
type Hours = (typeof hours)[number];
const choices = hours.map((value) => ({ value, label: `${value} h` }));
/** The window advances in steps, so that bars do not move constantly. */
const stepMs = 10_000;
const hourMs = 3_600_000;
const maxLanes = 40;
/** Displayed first: hundreds of bars would delay the rest of the page. */
const noLanes: readonly Lane[] = [];

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
  const all = useMemo(() => join(runs, active), [runs, active]);
  const window = zoom ?? fitWindow(all, { from: now - Number(span) * hourMs, until: now });
  const { from, until } = window;
  const lanes = useMemo(() => buildLanes(all, { from, until }, now), [all, from, until, now]);
  const shownLanes = useDeferredValue(lanes, noLanes);
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
        <TimelineLanes
          window={window}
          lanes={shownLanes}
          now={now}
          onZoom={setZoom}
          isTruncated={!isComplete}
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

/** Follows the width of an element, in pixels; 0 until measured. */
function useWidth() {
  const [width, setWidth] = useState(0);
  const measure = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { width, measure };
}

function TimelineLanes({ window, lanes, now, onZoom, isTruncated }: LanesProps) {
  const brush = useBrushSelection(window, onZoom);
  const followLink = useLinkClick();
  const { width, measure } = useWidth();
  const ticks = listTicks(window, readTimeZone().offsetAt(now), maxIntervalsIn(width));
  const toStyle = (at: number) => ({ left: `${(100 * (at - window.from)) / (window.until - window.from)}%` });
  return (
    <div className={styles.timeline}>
      <div ref={measure} className={styles.axis} aria-hidden="true">
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
          <LaneRow key={lane.name} lane={lane} onLink={followLink} />
        ))}
      </div>
      <p className={styles.hint}>
        Drag to zoom.
        {lanes.length > maxLanes &&
          ` ${lanes.length - maxLanes} more workflows not shown. Choose a shorter period.`}
        {isTruncated && ' Showing the latest 1,000 runs.'}
      </p>
    </div>
  );
}
