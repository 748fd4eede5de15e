import { randomBytes } from 'node:crypto';
import { toIso } from '../../base/clock.ts';
import { AppError, fieldError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import type { PingCheckDetailView, PingCheckView, PingView } from '../../contract/pings.ts';
import type { PingCheck, PingRecord } from '../../model/ping.ts';
import { findExpectedPing, findPingStatus } from '../../run/scheduler/ping-watch.ts';
import { readCron } from '../../spec/rules/schedule.ts';
import type { PingSettings } from '../../store/types/pings.ts';
import type { EngineContext } from '../engine-context.ts';
import type { HandlersFor } from './handlers.ts';

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
  'pings.list': (_input, context) => ({
    checks: context.pings.listChecks().map((check) => toView(check, context)),
  }),
  'pings.create': ({ name, tags = [], ...input }, context) => {
    const settings = { name, tags, graceMs: defaultGraceMs, ...readSettings(input) };
    checkSettings(settings);
    const token = randomBytes(18).toString('base64url');
    return toDetail(context.pings.createCheck(token, settings, context.clock.now()), context);
  },
  'pings.get': ({ name }, context) => toDetail(getCheck(name, context), context),
  'pings.update': ({ name, newName = name, tags, ...input }, context) => {
    const { id, schedule, timezone, periodMs, graceMs, tags: oldTags } = getCheck(name, context);
    const change = readSettings(input);
    const old =
      change.periodMs !== undefined
        ? { graceMs }
        : change.schedule !== undefined
          ? { graceMs, ...(timezone !== undefined && { timezone }) }
          : { schedule, timezone, periodMs, graceMs };
    const settings = { ...old, ...change, name: newName, tags: tags ?? oldTags };
    checkSettings(settings);
    context.pings.updateCheck(id, settings);
    return toDetail(getCheck(newName, context), context);
  },
  'pings.delete': ({ name }, context) => {
    const check = getCheck(name, context);
    context.pings.deleteCheck(check.id);
    return toView(check, context);
  },
  'pings.history': ({ name, limit = defaultPageSize }, { pings, ...context }) => ({
    pings: pings.listPings(getCheck(name, { pings, ...context }).id, limit).map(toPingView),
  }),
};

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

function getCheck(name: string, { pings }: Pick<EngineContext, 'pings'>): PingCheck {
  const check = pings.findCheck(name);
  if (check !== undefined) return check;
  const near = findNearest(
    name,
    pings.listChecks().map((each) => each.name),
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
