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
export interface NoticeParts {
  readonly api: EngineApi;
  readonly clock: Clock;
  /** Time zone of quiet hours without their own, until the window reports its zone. */
  readonly zone: string;
  settings(): DesktopSettings['notifications'];
  show(notice: Notice): void;
}

/** A notification with its deduplication key. */
interface FoundNotice extends RunNotice {
  readonly key: string;
}

type AskedEvent = Extract<EventView['event'], { type: 'step.approval_requested' }>;

/** Notifications within this time are grouped. */
const burstMs = 2000;
/** After a large group, the next ones are collected for longer. */
const longBurstMs = 60_000;
/** Number of remembered notifications, for deduplication. */
const mostTold = 2000;
/** Number of earlier runs of the same workflow that are read to find the previous result. */
const historyRead = 20;
/** Wait reasons that only a user can end. */
const waitsForPerson: ReadonlySet<string> = new Set(['paused', 'no_worker']);

/** Watches all runs of the home directory and notifies the user, once per run and reason. */
export class RunNotices {
  readonly #parts: NoticeParts;
  readonly #told = new Set<string>();
  readonly #disposals: Dispose[] = [];
  #found: FoundNotice[] = [];
  #disposeBurst: Dispose | undefined;
  #restMs = burstMs;

  constructor(parts: NoticeParts) {
    this.#parts = parts;
    const observer = { item: (view: EventView) => this.#hear(view), end: () => {}, isPatient: true };
    this.#disposals.push(parts.api.follow('events.follow', {}, observer, windowCaller));
  }

  stop(): void {
    this.#disposeBurst?.();
    for (const dispose of this.#disposals) dispose();
  }

  #hear(view: EventView): void {
    const { event, dagRunId } = view;
    if (event.type === 'run.retried')
      for (const reason of reasons) this.#told.delete(`${dagRunId} ${reason}`);
    if (event.type === 'step.approval_requested') return this.#tellOfQuestion(view, event);
    if (event.type === 'step.approval_resolved')
      this.#found = this.#found.filter(({ key }) => key !== event.id);
    const isWaiting = event.type === 'run.created' && waitsForPerson.has(event.wait?.kind ?? '');
    if (event.type !== 'run.finished' && !isWaiting) return;
    // A run that cannot be read any more needs no notification.
    this.#judge(view).catch(() => undefined);
  }

  /** Also for a sub-run, which has no other notification. */
  #tellOfQuestion(run: NoticeRun, { id, node, question }: AskedEvent): void {
    const step = new URLSearchParams({ [node.section]: node.name }).toString();
    this.#add({ reason: 'approval', run, step, text: question, key: id });
  }

  async #judge({ name, dagRunId, event }: EventView): Promise<void> {
    const { dagRuns } = await this.#parts.api.call('runs.listOf', { name, limit: historyRead }, windowCaller);
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
    const found = judgeEnd(run, before, this.#parts.settings().longRunMinutes);
    if (found) this.#addOnce(found.reason, run, found.text);
  }

  #addOnce(reason: NoticeReason, run: NoticeRun, text: string): void {
    this.#add({ reason, run, text, key: `${run.dagRunId} ${reason}` });
  }

  #add(found: FoundNotice): void {
    const { reason, key } = found;
    const { name, dagRunId } = found.run;
    const { settings, clock, zone } = this.#parts;
    const chosen = settings();
    const mode = Object.hasOwn(chosen.workflows, name) ? chosen.workflows[name] : 'all';
    if (!chosen[reason] || mode === 'none' || (mode === 'failures' && reason !== 'failure')) return;
    if (isQuiet(chosen, clock.now(), chosen.viewZone || zone)) return;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    if (this.#told.size > mostTold) this.#told.delete(this.#told.values().next().value!);
    this.#found.push({ ...found, run: { name, dagRunId } });
    this.#disposeBurst ??= clock.after(this.#restMs, () => this.#tell());
  }

  #tell(): void {
    this.#disposeBurst = undefined;
    const found = this.#found.splice(0);
    const notices = composeNotices(found);
    this.#restMs = notices.length < found.length ? longBurstMs : burstMs;
    for (const notice of notices) this.#parts.show(notice);
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
