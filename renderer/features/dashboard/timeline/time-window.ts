import type { RunSummaryView } from '../../../../core/contract/runs/run-views.ts';

/** A time range, in epoch milliseconds. */
export interface TimeWindow {
  readonly from: number;
  readonly until: number;
}

/** A run as a bar, with its position in the window in percent. */
export interface Bar {
  readonly run: RunSummaryView;
  readonly left: number;
  readonly width: number;
  readonly from: number;
  readonly until: number;
}

/** The bars of one workflow. */
export interface Lane {
  readonly name: string;
  readonly bars: readonly Bar[];
}

/** Minimum width in percent; narrower bars could be neither seen nor clicked. */
const minWidth = 0.35;

/** Returns one lane per workflow with a run in the window, by newest run. */
export function buildLanes(runs: readonly RunSummaryView[], window: TimeWindow, now: number): Lane[] {
  const lanes = new Map<string, Bar[]>();
  for (const run of runs) {
    const bar = positionBar(run, window, now);
    if (bar === undefined) continue;
    const lane = lanes.get(run.name);
    if (lane) lane.push(bar);
    else lanes.set(run.name, [bar]);
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
    run,
    left: Math.min(left, 100 - minWidth),
    width: Math.min(width, 100 - left),
    from: start,
    until: end,
  };
}

const minute = 60_000;
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360].map((minutes) => minutes * minute);

/**
 * Returns 4 to 9 round times in the window for its axis.
 * @param offset milliseconds to add to UTC for the displayed time zone
 */
export function listTicks({ from, until }: TimeWindow, offset: number): number[] {
  const step = steps.find((wide) => (until - from) / wide <= 9) ?? steps.at(-1)!;
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
