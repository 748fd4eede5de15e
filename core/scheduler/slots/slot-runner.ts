import type { Clock } from '../../base/clock.ts';
import { AppError, toAppError } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { Logger } from '../../base/logger.ts';
import type { RunRef } from '../../model/run/run.ts';
import type { SlotRef } from '../../model/run/slot.ts';
import type { Overlap, Workflow } from '../../model/workflow/workflow.ts';
import { findPrevious } from '../../schedule/next-run.ts';
import type { ScheduleStore } from '../ports.ts';
import type { Restarts } from './restarts.ts';

/** A workflow as its file is now. */
export interface SlotSource {
  readonly workflow: Workflow;
  /**
   * Creates a run for the slot in one transaction with the slot's row, and starts to drive it or adds it to its queue.
   */
  start(slot: SlotRef, wish: { readonly overlap: Overlap }): Promise<RunRef>;
}

/** The result of a slot: `later` means that nothing could be written, so that it is due again. */
export type SlotResult = 'done' | 'later';

interface SlotRunnerParts {
  readonly store: ScheduleStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Time zone of expressions that name none. */
  readonly zone: string | undefined;
  /**
   * Reads a workflow file.
   * @throws `not_found` or `invalid_spec`
   */
  readonly load: (dag: string) => Promise<SlotSource>;
  /** Call this after this process has written a stop request. */
  readonly onStopped: () => void;
  readonly restarts: Restarts;
}

/** Errors that may be temporary; nothing has been written then. */
const passing = new Set(['storage_full', 'unavailable', 'home_unusable', 'internal_error']);

/** Executes a slot once: a second process finds its row. */
export class SlotRunner {
  readonly #parts: SlotRunnerParts;

  constructor(parts: SlotRunnerParts) {
    this.#parts = parts;
  }

  /** Never rejects. */
  async run(slot: SlotRef): Promise<SlotResult> {
    const { store, clock, logger } = this.#parts;
    try {
      if (store.isDecided(slot) || store.isSuspended(slot.dag)) return 'done';
      failPoint('scheduler.slot_due');
      await this.#do(slot);
      failPoint('scheduler.slot_done');
      return 'done';
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      // The file has just been deleted, or another process was faster.
      if (code === 'not_found' || code === 'stale_owner') return 'done';
      if (passing.has(code)) {
        logger.error('Cannot process a scheduled time yet', { dag: slot.dag, kind: slot.kind, message });
        return 'later';
      }
      const isBusy = code === 'still_running' || code === 'max_run_reached';
      if (!isBusy) logger.warn('A scheduled start failed', { dag: slot.dag, message });
      return this.#refuse(slot, { outcome: isBusy ? 'skipped' : 'failed', reason: message }, clock.now());
    }
  }

  #refuse(...[slot, refusal, at]: Parameters<ScheduleStore['refuseSlot']>): SlotResult {
    try {
      const { store } = this.#parts;
      if (store.refuseSlot(slot, refusal, at) && refusal.outcome === 'failed')
        store.addNote({ at, kind: 'failed', dag: slot.dag, message: refusal.reason });
      return 'done';
    } catch (thrown) {
      this.#parts.logger.error('Cannot record a scheduled time', { message: String(thrown) });
      return 'later';
    }
  }

  async #do(slot: SlotRef): Promise<void> {
    const { store, clock, load, onStopped, restarts } = this.#parts;
    const { workflow, start } = await load(slot.dag);
    switch (slot.kind) {
      case 'start':
        this.#checkSuccess(slot, workflow);
        this.#checkOverlap(workflow);
        await start(slot, { overlap: workflow.overlap ?? 'skip' });
        return;
      case 'stop':
        if (store.stopForSlot(slot, workflow.name, clock.now())?.length) onStopped();
        return;
      case 'restart': {
        const runs = store.beginRestart(slot, workflow.name, clock.now());
        if (!runs?.length) return;
        failPoint('scheduler.restart_begun');
        onStopped();
        restarts.finish({ slot, run: runs[0]! });
      }
    }
  }

  /** `skipIfSuccessful`: checks whether a user or a program has already run the workflow since the previous slot. */
  #checkSuccess(slot: SlotRef, { name, schedule, skipIfSuccessful }: Workflow): void {
    if (!skipIfSuccessful) return;
    const since = findPrevious(schedule.start, slot.at, this.#parts.zone);
    if (since === undefined || !this.#parts.store.hasSucceededSince(name, since)) return;
    throw new AppError('still_running', `A run of ${name} has succeeded since the previous scheduled time.`);
  }

  /**
   * Checks the overlap early, so that no parameters are resolved for a run that will not start; the transaction checks
   * again.
   */
  #checkOverlap({ name, overlap = 'skip' }: Workflow): void {
    if (overlap !== 'skip' || !this.#parts.store.hasActiveRun(name)) return;
    throw new AppError('still_running', `A run of ${name} was still active.`);
  }
}
