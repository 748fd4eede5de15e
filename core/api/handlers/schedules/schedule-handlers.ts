import { toIso } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import type { OperationOutput } from '../../../contract/operations.ts';
import type { SchedulePauseView } from '../../../contract/schedules/schedules.ts';
import { formatActor } from '../../../model/run/actor.ts';
import type { SchedulePause, SchedulerInstance } from '../../../model/run/fire-time.ts';
import { listNextTimes } from '../../../schedule/next-run.ts';
import type { EngineContext } from '../../engine-context.ts';
import type { HandlersFor } from '../handlers.ts';
import { parseTimestamp } from '../parse-timestamp.ts';

/** Milliseconds without a heartbeat after which the state of a scheduler is unknown. */
const silentMs = 30_000;
const maxNotes = 50;

type ScheduleOperation =
  | 'dags.suspend'
  | 'dags.nextTimes'
  | 'services.scheduler'
  | 'schedules.pause'
  | 'schedules.resume';

/** Operations on schedules and schedulers. */
export const scheduleHandlers: HandlersFor<ScheduleOperation> = {
  'schedules.pause': ({ until }, { schedule, clock }, caller) => {
    const since = clock.now();
    const pause = {
      since,
      by: caller.name,
      ...(until !== undefined && { until: parsePauseEnd(until, since) }),
    };
    schedule.setPause(pause);
    const span = pause.until === undefined ? 'until resumed' : `until ${toIso(pause.until)}`;
    const message = `All schedules paused ${span} ${formatActor(caller.name)}.`;
    schedule.addNote({ at: since, kind: 'paused', message });
    return { pause: toPauseView(pause) };
  },
  'schedules.resume': (_input, { schedule, clock }, caller) => {
    const wasPaused = findPause(schedule.pause(), clock.now()) !== undefined;
    schedule.setPause(undefined);
    const message = `All schedules resumed ${formatActor(caller.name)}.`;
    if (wasPaused) schedule.addNote({ at: clock.now(), kind: 'paused', message });
    return { wasPaused };
  },
  'dags.suspend': ({ fileName, suspend }, { library, schedule, clock }) => {
    library.peek(fileName);
    schedule.setSuspended(fileName, suspend, clock.now());
    return { suspended: suspend };
  },
  'dags.nextTimes': async ({ fileName, limit = 10 }, { library, schedule, clock, config }) => {
    const workflow = (await library.get(fileName)).spec.workflows[0];
    const times =
      workflow === undefined ? [] : listNextTimes(workflow.schedule, clock.now(), config.tz, limit);
    return {
      times: times.map(({ at, ...rest }) => ({ at: toIso(at), ...rest })),
      suspended: schedule.isSuspended(fileName),
    };
  },
  'services.scheduler': (_input, context) => describeSchedulers(context),
};

/** Returns the schedulers, the pause and recent notes. */
export const describeSchedulers = ({
  schedule,
  clock,
}: EngineContext): OperationOutput<'services.scheduler'> => ({
  ...toPauseField(findPause(schedule.pause(), clock.now())),
  schedulers: schedule.listSchedulers().map((instance) => ({
    instanceId: instance.id,
    host: instance.host,
    pid: instance.pid,
    port: instance.port ?? 0,
    status: statusOf(instance, clock.now()),
    startedAt: toIso(instance.startedAt),
  })),
  notes: schedule.listNotes(maxNotes).map(({ at, kind, dag, message }) => ({
    at: toIso(at),
    kind,
    ...(dag === undefined ? {} : { fileName: dag }),
    message,
  })),
});

function parsePauseEnd(text: string, now: number): number {
  const at = parseTimestamp('until', text);
  if (at !== undefined && at > now) return at;
  throw new AppError('bad_request', `until: ${text} is in the past. Use a later time, or omit the field.`, {
    details: { field: 'until' },
  });
}

/** Returns the current pause. An expired pause may still be stored if no scheduler is running. */
const findPause = (pause: SchedulePause | undefined, now: number): SchedulePause | undefined =>
  pause?.until !== undefined && pause.until <= now ? undefined : pause;

const toPauseField = (pause: SchedulePause | undefined): { pause?: SchedulePauseView } =>
  pause === undefined ? {} : { pause: toPauseView(pause) };

const toPauseView = ({ since, until, by }: SchedulePause): SchedulePauseView => ({
  since: toIso(since),
  ...(until !== undefined && { until: toIso(until) }),
  by,
});

function statusOf({ beatAt, isActive }: SchedulerInstance, now: number): 'active' | 'inactive' | 'unknown' {
  if (now - beatAt > silentMs) return 'unknown';
  return isActive ? 'active' : 'inactive';
}
