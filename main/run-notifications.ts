import type { DesktopSettings } from '../core/contract/desktop-calls.ts';
import type { Clock, Dispose } from '../core/base/clock.ts';
import { formatDuration } from '../core/base/text.ts';
import type { EventView } from '../core/contract/logs.ts';
import type { RunSummaryView } from '../core/contract/run-views.ts';
import type { EngineApi } from '../core/index.ts';
import { windowCaller } from './engine-ipc.ts';
import {
  composeNotifications,
  type DesktopNotification,
  type NotificationReason,
  type NotifiedRun,
  type RunNotification,
} from './notifier.ts';

/** Quiet hours in the settings. */
type QuietHours = Pick<DesktopSettings['notifications'], 'quiet' | 'quietFrom' | 'quietTo' | 'quietZone'>;

/**
 * Whether an instant is in the quiet hours. They may span midnight; equal ends mean the whole day.
 * @param now epoch milliseconds
 * @param zone IANA time zone used when the settings have none
 */
export function isQuietTime(hours: QuietHours, now: number, zone: string): boolean {
  if (!hours.quiet) return false;
  const time = wallTime(now, hours.quietZone === '' ? zone : hours.quietZone);
  const { quietFrom: from, quietTo: to } = hours;
  return from < to ? from <= time && time < to : time >= from || time < to;
}

/** Returns `HH:MM` in a time zone; in the local one if the zone is invalid. */
function wallTime(now: number, zone: string): string {
  const read = (timeZone: string | undefined): string =>
    new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
    }).format(now);
  try {
    return read(zone);
  } catch {
    return read(undefined);
  }
}

/** A notification with its deduplication key. */
interface PendingNotice extends RunNotification {
  readonly key: string;
}

type QuestionEvent = Extract<EventView['event'], { type: 'step.approval_requested' }>;

/** Notifications within this time are grouped. */
const batchMs = 2000;
/** After a large group, the next ones are collected for longer. */
const maxBatchMs = 60_000;
/** Number of remembered notifications, for deduplication. */
const maxNotified = 2000;
/** Number of earlier runs of the same workflow that are read to find the previous result. */
const historyRead = 20;
/** Wait reasons that only a user can end. */
const isApprovalRequest: ReadonlySet<string> = new Set(['paused', 'no_worker']);

/** Watches all runs of the home directory and notifies the user, once per run and reason. */
export class RunNotifications {
  readonly #api: EngineApi;
  readonly #clock: Clock;
  /** Time zone of quiet hours without their own, until the window reports its zone. */
  readonly #zone: string;
  readonly #settings: () => DesktopSettings['notifications'];
  readonly #show: (notice: DesktopNotification) => void;
  readonly #notified = new Set<string>();
  readonly #disposals: Dispose[] = [];
  #found: PendingNotice[] = [];
  #disposeBatchTimer: Dispose | undefined;
  #restMs = batchMs;

  constructor(
    api: EngineApi,
    clock: Clock,
    zone: string,
    settings: () => DesktopSettings['notifications'],
    show: (notice: DesktopNotification) => void,
  ) {
    this.#api = api;
    this.#clock = clock;
    this.#zone = zone;
    this.#settings = settings;
    this.#show = show;
    const observer = { item: (view: EventView) => this.#onMessage(view), end: () => {}, isPatient: true };
    this.#disposals.push(api.follow('events.follow', {}, observer, windowCaller));
  }

  stop(): void {
    this.#disposeBatchTimer?.();
    for (const dispose of this.#disposals) dispose();
  }

  #onMessage(view: EventView): void {
    const { event, dagRunId } = view;
    if (event.type === 'run.retried')
      for (const reason of reasons) this.#notified.delete(`${dagRunId} ${reason}`);
    if (event.type === 'step.approval_requested') return this.#notifyQuestion(view, event);
    if (event.type === 'step.approval_resolved')
      this.#found = this.#found.filter(({ key }) => key !== event.id);
    const isWaiting = event.type === 'run.created' && isApprovalRequest.has(event.wait?.kind ?? '');
    if (event.type !== 'run.finished' && !isWaiting) return;
    // A run that cannot be read any more needs no notification.
    this.#judge(view).catch(() => undefined);
  }

  /** Also for a sub-run, which has no other notification. */
  #notifyQuestion(run: NotifiedRun, { id, node, question }: QuestionEvent): void {
    const step = new URLSearchParams({ [node.section]: node.name }).toString();
    this.#add({ reason: 'approval', run, step, text: question, key: id });
  }

  async #judge({ name, dagRunId, event }: EventView): Promise<void> {
    const { dagRuns } = await this.#api.call('runs.listOf', { name, limit: historyRead }, windowCaller);
    const index = dagRuns.findIndex((run) => run.dagRunId === dagRunId);
    const run = dagRuns[index];
    // Sub-runs belong to their parent run; runs before the watch started are not news.
    if (run === undefined || run.parent !== undefined) return;
    if (event.type !== 'run.finished') {
      this.#addUnique('waiting', run, run.error ?? 'The run cannot start yet.');
      return;
    }
    const before = dagRuns
      .slice(index + 1)
      .find((each) => each.finishedAt !== undefined && each.status !== 'aborted');
    const found = notificationForEnd(run, before, this.#settings().longRunMinutes);
    if (found) this.#addUnique(found.reason, run, found.text);
  }

  #addUnique(reason: NotificationReason, run: NotifiedRun, text: string): void {
    this.#add({ reason, run, text, key: `${run.dagRunId} ${reason}` });
  }

  #add(found: PendingNotice): void {
    const { reason, key } = found;
    const { name, dagRunId } = found.run;
    const chosen = this.#settings();
    const mode = Object.hasOwn(chosen.workflows, name) ? chosen.workflows[name] : 'all';
    if (!chosen[reason] || mode === 'none' || (mode === 'failures' && reason !== 'failure')) return;
    if (isQuietTime(chosen, this.#clock.now(), chosen.viewZone || this.#zone)) return;
    if (this.#notified.has(key)) return;
    this.#notified.add(key);
    if (this.#notified.size > maxNotified) this.#notified.delete(this.#notified.values().next().value!);
    this.#found.push({ ...found, run: { name, dagRunId } });
    this.#disposeBatchTimer ??= this.#clock.after(this.#restMs, () => this.#notify());
  }

  #notify(): void {
    this.#disposeBatchTimer = undefined;
    const found = this.#found.splice(0);
    const notices = composeNotifications(found);
    this.#restMs = notices.length < found.length ? maxBatchMs : batchMs;
    for (const notice of notices) this.#show(notice);
  }
}

const reasons: readonly NotificationReason[] = ['failure', 'recovery', 'waiting', 'longRun'];

/** Returns why the end of a run deserves a notification; undefined if it does not. */
function notificationForEnd(
  run: RunSummaryView,
  before: RunSummaryView | undefined,
  longRunMinutes: number,
): { reason: NotificationReason; text: string } | undefined {
  if (run.status === 'failed') return { reason: 'failure', text: run.error ?? 'A step failed.' };
  if (run.status !== 'succeeded' && run.status !== 'partially_succeeded') return undefined;
  if (run.status === 'succeeded' && before?.status === 'failed')
    return { reason: 'recovery', text: 'The run succeeded after the last failure.' };
  if (run.startedAt === undefined || run.finishedAt === undefined) return undefined;
  const tookMs = Date.parse(run.finishedAt) - Date.parse(run.startedAt);
  return tookMs < longRunMinutes * 60_000
    ? undefined
    : {
        reason: 'longRun',
        text: `The run ${run.status.replaceAll('_', ' ')} after ${formatDuration(tookMs)}.`,
      };
}
