import { toIso } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { readSeconds } from '../../../config/file/values/read-values.ts';
import type { OperationOutput } from '../../../contract/operations.ts';
import type { RunUsage } from '../../../monitor/runs/run-usage.ts';
import type { PeakUsage } from '../../../model/run/run.ts';
import type { Point } from '../../../monitor/reading-ring.ts';
import type { HandlersFor } from '../handlers.ts';
import { requireRun } from '../runs/run-handlers.ts';

const defaultDuration = '1h';
const defaultPoints = 1000;

/** Operations on resource usage. */
export const resourceHandlers: HandlersFor<'services.resourceHistory' | 'runs.usage'> = {
  'services.resourceHistory': ({ duration = defaultDuration, points = defaultPoints }, { monitor }) => {
    const { series, machine, intervalSec } = monitor.history(readDuration(duration), points);
    const { cores, memory, disk } = machine;
    return {
      cpu: series.cpu.map(toPoint),
      memory: series.memory.map(toPoint),
      disk: series.disk.map(toPoint),
      load: series.load.map(toPoint),
      intervalSec,
      machine: { cores, memoryBytes: memory, ...(disk === undefined ? {} : { diskBytes: disk }) },
    };
  },
  'runs.usage': (input, context) => {
    const { run } = requireRun(context, input);
    const peaks = run.peakUsage;
    // A host without monitoring can return the stored peaks.
    if (peaks === undefined) return toUsageView(context.monitor.usageOf(run));
    const observed = context.monitor.recall(run);
    return observed === undefined ? toPeakUsageView(peaks) : withPeaks(toUsageView(observed), peaks);
  },
};

function readDuration(text: string): number {
  const seconds = readSeconds(text.trim());
  if (seconds !== undefined && seconds > 0) return seconds;
  throw new AppError('bad_request', 'duration: must be a duration such as 30m, 1h or 1d', {
    details: { field: 'duration' },
  });
}

const toPoint = ({ at, value }: Point) => ({ timestamp: toIso(at), value: roundToHundredths(value) });

type UsageView = OperationOutput<'runs.usage'>;

function toUsageView(usage: RunUsage | undefined): UsageView {
  if (usage === undefined) return { active: false, cpuSeconds: 0, peakCpu: 0, peakMemory: 0, points: [] };
  const { isActive, last, cpuMs, peakCpu, peakMemory, points } = usage;
  return {
    active: isActive,
    ...(last === undefined ? {} : { now: { ...toUsagePoint(last), processes: last.processes } }),
    cpuSeconds: roundToHundredths(cpuMs / 1000),
    peakCpu: roundToHundredths(peakCpu),
    peakMemory,
    points: points.map(toUsagePoint),
  };
}

const toPeakUsageView = ({ cpu, memory }: PeakUsage): UsageView => ({
  active: false,
  peakCpu: cpu,
  peakMemory: memory,
  points: [],
});

/** Another host may have observed higher peaks. */
const withPeaks = (view: UsageView, { cpu, memory }: PeakUsage): UsageView => ({
  ...view,
  peakCpu: Math.max(view.peakCpu, cpu),
  peakMemory: Math.max(view.peakMemory, memory),
});

const toUsagePoint = ({ at, cpu, memory }: { at: number; cpu: number; memory: number }) => ({
  timestamp: toIso(at),
  cpu: roundToHundredths(cpu),
  memory,
});

/** Rounds to two decimal places. */
const roundToHundredths = (value: number): number => Math.round(value * 100) / 100;
