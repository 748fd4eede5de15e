import { randomBytes } from 'node:crypto';
import { toIso } from '../../base/clock.ts';
import { AppError, fieldError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import type {
  PingCheckDetailView,
  PingCheckView,
  PingView,
  UsualDurationView,
} from '../../contract/pings.ts';
import { type PingCheck, type PingRecord, minUsualRuns } from '../../model/expectation.ts';
import { findExpectedPing, findPingStatus } from '../../run/scheduler/ping-watch.ts';
import { readCron } from '../../spec/rules/schedule.ts';
import type { PingSettings } from '../../store/types/pings.ts';
import { maxCalendarDays } from '../../model/workflow-rules.ts';
import { findNextDeadline } from '../../spec/schedule/count-times.ts';
import { findTimeZone } from '../../spec/schedule/time-zone.ts';
import type { RunStore } from '../../store/types/runs.ts';
import type { EngineContext } from '../engine-context.ts';
import { toMissedView } from '../views.ts';
import type { HandlersFor } from './handlers.ts';
import { getName } from './dag-list.ts';
import { requireRun } from './run-handlers.ts';
import { readDays } from './schedule-handlers.ts';

const defaultGraceMs = 3_600_000;
const defaultPageSize = 50;

type PingOperation =
  | 'pings.list'
  | 'pings.create'
  | 'pings.get'
  | 'pings.update'
  | 'pings.delete'
  | 'pings.history';

/** Operations on checks of jobs that run elsewhere. */
export const pingHandlers: HandlersFor<PingOperation> = {
  'pings.list': async (_input, context) => ({
    checks: (await context.pings.listChecks()).map((check) => toView(check, context)),
  }),
  'pings.create': async ({ name, tags = [], ...input }, context) => {
    const settings = { name, tags, graceMs: defaultGraceMs, ...readSettings(input) };
    checkSettings(settings);
    const token = randomBytes(18).toString('base64url');
    return toDetail(await context.pings.createCheck(token, settings, context.clock.now()), context);
  },
  'pings.get': async ({ name }, context) => toDetail(await getCheck(name, context), context),
  'pings.update': async ({ name, newName = name, tags, ...input }, context) => {
    const change = readSettings(input);
    const updated = await context.pings.updateCheck(name, (check) => {
      const settings = { ...keepSettings(check, change), ...change, name: newName, tags: tags ?? check.tags };
      checkSettings(settings);
      return settings;
    });
    return toDetail(updated ?? (await getCheck(name, context)), context);
  },
  'pings.delete': async ({ name }, context) => {
    const check = await getCheck(name, context);
    await context.pings.deleteCheck(check.id);
    return toView(check, context);
  },
  'pings.history': async ({ name, limit = defaultPageSize }, { pings, ...context }) => {
    const { id } = await getCheck(name, { pings, ...context });
    return { pings: (await pings.listPings(id, limit)).map(toPingView) };
  },
};

/** Returns the settings of a check that a change leaves in place: a new period replaces the schedule and vice versa. */
function keepSettings(
  { schedule, timezone, periodMs, graceMs }: PingCheck,
  change: Pick<PingSettings, 'schedule' | 'periodMs'>,
): Omit<PingSettings, 'name' | 'tags'> {
  if (change.periodMs !== undefined) return { graceMs };
  if (change.schedule !== undefined) return { graceMs, ...(timezone !== undefined && { timezone }) };
  return { schedule, timezone, periodMs, graceMs };
}

interface SettingsInput {
  readonly schedule?: string | undefined;
  readonly timezone?: string | undefined;
  readonly periodSec?: number | undefined;
  readonly graceSec?: number | undefined;
}

const readSettings = ({ schedule, timezone, periodSec, graceSec }: SettingsInput) => ({
  ...(schedule !== undefined && { schedule: readSchedule(schedule, timezone) }),
  ...(timezone !== undefined && { timezone }),
  ...(periodSec !== undefined && { periodMs: periodSec * 1000 }),
  ...(graceSec !== undefined && { graceMs: graceSec * 1000 }),
});

function readSchedule(text: string, timezone: string | undefined): string {
  const { cron, fault } = readCron(text, timezone);
  if (fault !== undefined)
    throw fieldError('schedule', `${fault}. Use a cron expression such as "30 2 * * *".`);
  return cron;
}

function checkSettings({ schedule, timezone, periodMs }: Omit<PingSettings, 'name'>): void {
  if ((schedule === undefined) === (periodMs === undefined))
    throw fieldError('periodSec', 'set either `schedule` or `periodSec`, to say when pings are expected');
  if (timezone === undefined) return;
  if (schedule === undefined) throw fieldError('timezone', 'needs a `schedule`');
  readSchedule(schedule, timezone);
}

async function getCheck(name: string, { pings }: Pick<EngineContext, 'pings'>): Promise<PingCheck> {
  const check = await pings.findCheck(name);
  if (check !== undefined) return check;
  const near = findNearest(
    name,
    (await pings.listChecks()).map((each) => each.name),
  );
  throw new AppError(
    'not_found',
    `Ping check "${name}" not found.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
  );
}

type ViewContext = Pick<EngineContext, 'clock' | 'config'>;

function toView(check: PingCheck, { clock, config }: ViewContext): PingCheckView {
  const { name, schedule, timezone, periodMs, graceMs, tags, createdAt, lastAt } = check;
  const expected = findExpectedPing(check, config.tz);
  return {
    name,
    status: findPingStatus(check, config.tz, clock.now()),
    schedule,
    timezone,
    periodSec: periodMs === undefined ? undefined : periodMs / 1000,
    graceSec: graceMs / 1000,
    tags: [...tags],
    createdAt: toIso(createdAt),
    lastPingAt: lastAt === undefined ? undefined : toIso(lastAt),
    expectedAt: expected && toIso(expected.expectedAt),
    missingAt: expected && toIso(expected.deadline),
  };
}

const toDetail = (check: PingCheck, context: EngineContext): PingCheckDetailView => ({
  ...toView(check, context),
  url: `${context.inbound.baseUrl()}/ping/${check.token}`,
});

const toPingView = ({ id, at, ...ping }: PingRecord): PingView => ({
  id: String(id),
  at: toIso(at),
  ...ping,
});

const shownMisses = 50;
const maxMisses = 1000;

/** Operations on what is late, long or missing. */
export const expectationHandlers: HandlersFor<
  'dags.expectations' | 'runs.expectations' | 'schedules.missed'
> = {
  'dags.expectations': async ({ fileName }, { library, expectations, store, clock, config }) => {
    const entry = await library.get(fileName);
    const name = getName(entry);
    const { expect, schedule, timezone: zone = config.tz } = entry.spec.workflows[0] ?? {};
    const deadline =
      expect?.by === undefined
        ? undefined
        : findNextDeadline({ by: expect.by, start: schedule?.start ?? [], zone }, clock.now());
    const last = await expectations.lastSuccess(fileName, name);
    return {
      expect,
      zone: findTimeZone(zone).name,
      nextDeadline: deadline && toIso(deadline.at),
      lastSuccessAt: last === undefined ? undefined : toIso(last),
      usual: toUsualView(name, store),
      missed: (await expectations.listMissed(fileName, shownMisses)).map(toMissedView),
    };
  },
  'runs.expectations': async (input, context) => {
    const { name, dagRunId } = requireRun(context, input).run;
    return {
      missed: (await context.expectations.listMissedOf({ name, dagRunId })).toReversed().map(toMissedView),
      usual: toUsualView(name, context.store),
    };
  },
  'schedules.missed': async (span, context) => {
    const { zone, days } = readDays(span, maxCalendarDays.schedules, context);
    const misses = await context.expectations.listMissedBetween(days[0]!.from, days.at(-1)!.until);
    return {
      zone,
      missed: misses
        .toReversed()
        .slice(0, maxMisses)
        .map((miss) => ({ fileName: miss.dag, name: miss.name, ...toMissedView(miss) })),
    };
  },
};

function toUsualView(name: string, store: Pick<RunStore, 'usualDuration'>): UsualDurationView {
  const { runs, medianMs } = store.usualDuration(name);
  return {
    runs,
    neededRuns: minUsualRuns,
    ...(medianMs !== undefined && { medianSeconds: medianMs / 1000 }),
  };
}
