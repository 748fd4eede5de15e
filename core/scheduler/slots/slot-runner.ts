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

/** A workflow as its file has it now. */
export interface SlotSource {
  readonly workflow: Workflow;
  /** Creates a run for the slot in one transaction with the slot's row, and begins to drive it, or puts it in its queue. */
  start(slot: SlotRef, wish: { readonly overlap: Overlap }): Promise<RunRef>;
}

/** What the doing of a slot came to: `later`, nothing could be written, so that it is due again. */
export type SlotResult = 'done' | 'later';

interface SlotRunnerParts {
  readonly store: ScheduleStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Zone of expressions that name none. */
  readonly zone: string | undefined;
  /** Reads a workflow file. Rejects with `not_found` or `invalid_spec`. */
  readonly load: (dag: string) => Promise<SlotSource>;
  /** To be called after a stop that this process has written. */
  readonly onStopped: () => void;
  readonly restarts: Restarts;
}

/** Refusals after which another try may succeed; nothing has been written then. */
const passing = new Set(['storage_full', 'unavailable', 'home_unusable', 'internal_error']);

/** Does what a slot wants, once: whoever comes second finds its row. */
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
      // The file has just gone, or somebody else was quicker.
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

  /** `skipIfSuccessful`: what this slot is for has been done since the one before, by a person or a program. */
  #checkSuccess(slot: SlotRef, { name, schedule, skipIfSuccessful }: Workflow): void {
    if (!skipIfSuccessful) return;
    const since = findPrevious(schedule.start, slot.at, this.#parts.zone);
    if (since === undefined || !this.#parts.store.hasSucceededSince(name, since)) return;
    throw new AppError('still_running', `A run of ${name} has succeeded since the previous scheduled time.`);
  }

  /** Beforehand, so that nothing is done for parameters of a run that is not to be; the transaction asks again. */
  #checkOverlap({ name, overlap = 'skip' }: Workflow): void {
    if (overlap !== 'skip' || !this.#parts.store.hasActiveRun(name)) return;
    throw new AppError('still_running', `A run of ${name} was still active.`);
  }
}
