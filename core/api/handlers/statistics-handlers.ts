import { toIso } from '../../base/clock.ts';
import type { FailureGroupView } from '../../contract/statistics.ts';
import { maxCalendarDays } from '../../model/workflow-rules.ts';
import type { RunStore } from '../../store/types/runs.ts';
import type { RunFailures } from '../../store/types/statistics.ts';
import { toRunSummary } from '../views.ts';
import type { HandlersFor } from './handlers.ts';
import { readDays } from './schedule-handlers.ts';

const dayMs = 86_400_000;
const defaultDays = 7;
const maxGroups = 100;
const defaultRuns = 25;

type StatisticsOperation =
  | 'runs.statistics'
  | 'runs.failures'
  | 'runs.stepHistory'
  | 'runs.recent'
  | 'runs.durations';

/** Aggregates over runs. */
export const statisticsHandlers: HandlersFor<StatisticsOperation> = {
  'runs.statistics': async (span, context) => {
    const { store } = context;
    const { zone, days } = readDays(span, maxCalendarDays.statistics, context);
    return {
      zone,
      active: {
        notStarted: await store.countWithStatus('not_started'),
        queued: await store.countWithStatus('queued'),
        running: await store.countWithStatus('running'),
      },
      days: await Promise.all(
        days.map(async ({ date, ...range }) => {
          const { averageMs, ...counts } = await store.countOutcomes(range);
          return {
            date,
            ...counts,
            ...(averageMs !== undefined && { averageSeconds: averageMs / 1000 }),
          };
        }),
      ),
    };
  },
  'runs.failures': async ({ days = defaultDays }, { store, clock }) => {
    const { failures, isComplete } = await store.listFailures(clock.now() - days * dayMs);
    return { failures: await groupFailures(failures, store), isComplete };
  },
  'runs.stepHistory': async ({ name, limit = defaultRuns }, { store, queues }) => {
    const runs = await store.listRuns({ name, topLevelOnly: true, limit });
    const states = Map.groupBy(
      (await store.listStepStates(runs.map(({ key }) => key))).filter(({ node }) => node.section === 'step'),
      ({ runKey }) => runKey,
    );
    return {
      runs: await Promise.all(
        runs.map(async (run) => ({
          run: await toRunSummary(run, queues),
          steps: (states.get(run.key) ?? []).map(({ node, status }) => ({ name: node.name, status })),
        })),
      ),
    };
  },
  'runs.recent': async ({ names }, { store }) => {
    const workflows = await Promise.all(
      [...new Set(names)].map(async (name) => ({ name, runs: await store.recentStatuses(name) })),
    );
    return { workflows: workflows.filter(({ runs }) => runs.length > 0) };
  },
  'runs.durations': async ({ names }, { store }) => {
    const durations = await Promise.all(
      [...new Set(names)].map(async (name) => {
        const { medianMs } = await store.usualDuration(name);
        return medianMs === undefined ? [] : [{ name, medianSeconds: medianMs / 1000 }];
      }),
    );
    return { durations: durations.flat() };
  },
};

type Failure = RunFailures['failures'][number];

/** Merges failures that differ only in the parts of their messages that change from run to run. */
function groupFailures(
  failures: readonly Failure[],
  store: Pick<RunStore, 'findRunId'>,
): Promise<FailureGroupView[]> {
  const groups = Map.groupBy(failures, ({ error }) => toCause(error ?? ''));
  const views = [...groups].slice(0, maxGroups).map(async ([cause, all]) => {
    const newest = all[0]!;
    const runsByName = new Map<string, number>();
    for (const { name, runs } of all) runsByName.set(name, (runsByName.get(name) ?? 0) + runs);
    return {
      cause,
      runs: all.reduce((sum, { runs }) => sum + runs, 0),
      firstAt: toIso(Math.min(...all.map(({ firstAt }) => firstAt))),
      lastAt: toIso(Math.max(...all.map(({ lastAt }) => lastAt))),
      latestRun: { name: newest.name, dagRunId: (await store.findRunId(newest.lastKey)) ?? '' },
      workflows: Array.from(runsByName, ([name, runs]) => ({ name, runs })),
    };
  });
  return Promise.all(views);
}

/** Ids, times, addresses in memory and long numbers; short numbers, such as exit codes, tell causes apart. */
const changing = [
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi,
  /\b\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:?\d{2})?/g,
  /\b0x[\da-f]+\b/gi,
  /\b(?=[\da-f]*\d)[\da-f]{12,}\b/gi,
  /\b\d{5,}\b/g,
] as const;

/** The step is part of the workflow, not of the cause. */
const stepPrefix = /^step "(?:[^"\\]|\\.)*" failed: /;

/** Returns an error message without its step, and with `…` for its changing parts. */
export const toCause = (error: string): string =>
  changing.reduce((text, pattern) => text.replace(pattern, '…'), error.replace(stepPrefix, ''));
