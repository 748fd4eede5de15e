import type { Clock, Dispose } from '../../core/base/clock.ts';
import { durationText } from '../../core/base/text/duration-text.ts';
import type { DesktopSettings } from '../../core/contract/desktop/settings.ts';
import type { EventView } from '../../core/contract/runs/events.ts';
import type { RunSummaryView } from '../../core/contract/runs/run-views.ts';
import type { EngineApi } from '../../core/index.ts';
import { windowCaller } from '../ipc/register-operations.ts';
import { composeNotices, type Notice, type NoticeReason, type NoticeRun, type RunNotice } from './notice.ts';
import { isQuiet } from './quiet-hours.ts';

/** Dependencies of the run notifications. */
export interface NoticeDeps {
  readonly api: EngineApi;
  readonly clock: Clock;
  /** Time zone of quiet hours without their own, until the window reports its zone. */
  readonly zone: string;
  settings(): DesktopSettings['notifications'];
  show(notice: Notice): void;
}

/** A notification with its deduplication key. */
interface PendingNotice extends RunNotice {
  readonly key: string;
}

type QuestionEvent = Extract<EventView['event'], { type: 'step.approval_requested' }>;

/** Notifications within this time are grouped. */
const burstMs = 2000;
/** After a large group, the next ones are collected for longer. */
const longBurstMs = 60_000;
/** Number of remembered notifications, for deduplication. */
const maxNotified = 2000;
/** Number of earlier runs of the same workflow that are read to find the previous result. */
const historyRead = 20;
/** Wait reasons that only a user can end. */
const waitsForPerson: ReadonlySet<string> = new Set(['paused', 'no_worker']);

/** Watches all runs of the home directory and notifies the user, once per run and reason. */
export class RunNotices {
  readonly #deps: NoticeDeps;
  readonly #notified = new Set<string>();
  readonly #disposals: Dispose[] = [];
  #found: PendingNotice[] = [];
  #disposeBurst: Dispose | undefined;
  #restMs = burstMs;

  constructor(deps: NoticeDeps) {
    this.#deps = deps;
    const observer = { item: (view: EventView) => this.#onMessage(view), end: () => {}, isPatient: true };
    this.#disposals.push(deps.api.follow('events.follow', {}, observer, windowCaller));
  }

  stop(): void {
    this.#disposeBurst?.();
    for (const dispose of this.#disposals) dispose();
  }

  #onMessage(view: EventView): void {
    const { event, dagRunId } = view;
    if (event.type === 'run.retried')
      for (const reason of reasons) this.#notified.delete(`${dagRunId} ${reason}`);
    if (event.type === 'step.approval_requested') return this.#notifyQuestion(view, event);
    if (event.type === 'step.approval_resolved')
      this.#found = this.#found.filter(({ key }) => key !== event.id);
    const isWaiting = event.type === 'run.created' && waitsForPerson.has(event.wait?.kind ?? '');
    if (event.type !== 'run.finished' && !isWaiting) return;
    // A run that cannot be read any more needs no notification.
    this.#judge(view).catch(() => undefined);
  }

  /** Also for a sub-run, which has no other notification. */
  #notifyQuestion(run: NoticeRun, { id, node, question }: QuestionEvent): void {
    const step = new URLSearchParams({ [node.section]: node.name }).toString();
    this.#add({ reason: 'approval', run, step, text: question, key: id });
  }

  async #judge({ name, dagRunId, event }: EventView): Promise<void> {
    const { dagRuns } = await this.#deps.api.call('runs.listOf', { name, limit: historyRead }, windowCaller);
    const index = dagRuns.findIndex((run) => run.dagRunId === dagRunId);
    const run = dagRuns[index];
    // Sub-runs belong to their parent run; runs before the watch started are not news.
    if (run === undefined || run.parent !== undefined) return;
    if (event.type !== 'run.finished') {
      this.#addOnce('waiting', run, run.error ?? 'The run cannot start yet.');
      return;
    }
    const before = dagRuns
      .slice(index + 1)
      .find((each) => each.finishedAt !== undefined && each.status !== 'aborted');
    const found = judgeEnd(run, before, this.#deps.settings().longRunMinutes);
    if (found) this.#addOnce(found.reason, run, found.text);
  }

  #addOnce(reason: NoticeReason, run: NoticeRun, text: string): void {
    this.#add({ reason, run, text, key: `${run.dagRunId} ${reason}` });
  }

  #add(found: PendingNotice): void {
    const { reason, key } = found;
    const { name, dagRunId } = found.run;
    const { settings, clock, zone } = this.#deps;
    const chosen = settings();
    const mode = Object.hasOwn(chosen.workflows, name) ? chosen.workflows[name] : 'all';
    if (!chosen[reason] || mode === 'none' || (mode === 'failures' && reason !== 'failure')) return;
    if (isQuiet(chosen, clock.now(), chosen.viewZone || zone)) return;
    if (this.#notified.has(key)) return;
    this.#notified.add(key);
    if (this.#notified.size > maxNotified) this.#notified.delete(this.#notified.values().next().value!);
    this.#found.push({ ...found, run: { name, dagRunId } });
    this.#disposeBurst ??= clock.after(this.#restMs, () => this.#notify());
  }

  #notify(): void {
    this.#disposeBurst = undefined;
    const found = this.#found.splice(0);
    const notices = composeNotices(found);
    this.#restMs = notices.length < found.length ? longBurstMs : burstMs;
    for (const notice of notices) this.#deps.show(notice);
  }
}

const reasons: readonly NoticeReason[] = ['failure', 'recovery', 'waiting', 'longRun'];

/** Returns why the end of a run deserves a notification; undefined if it does not. */
function judgeEnd(
  run: RunSummaryView,
  before: RunSummaryView | undefined,
  longRunMinutes: number,
): { reason: NoticeReason; text: string } | undefined {
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
        text: `The run ${run.status.replaceAll('_', ' ')} after ${durationText(tookMs)}.`,
      };
}
