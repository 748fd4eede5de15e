import type { RunDetailView } from '../contract/run-views.ts';
import type { RunVersion } from '../run/ports.ts';
import { markShared } from './shared-answers.ts';

/** Steps of all pictures that are kept, about two kilobytes each. */
const mostSteps = 10_000;

interface KeptView {
  readonly eventId: number;
  readonly view: RunDetailView;
}

/**
 * Pictures of runs that have ended, the latest asked for. Such a run changes only together with an event of its own: when
 * a step gets another status, and when it is retried. Its `lastEventId` stays that of the moment of the picture.
 */
export class EndedRuns {
  readonly #kept = new Map<number, KeptView>();
  #steps = 0;

  /** The picture of a run in this version; undefined when it has to be made. */
  find({ key, eventId }: RunVersion): RunDetailView | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#forget(key);
    if (kept.eventId !== eventId) return undefined;
    this.#add(key, kept);
    return kept.view;
  }

  /** Keeps a picture that nobody changes any more, made from this version or a later one. */
  keep({ key, eventId }: RunVersion, view: RunDetailView): void {
    if (weigh(view) > mostSteps) return;
    this.#forget(key);
    this.#add(key, { eventId, view });
    markShared(view);
    for (const oldest of this.#kept.keys()) {
      if (this.#steps <= mostSteps) return;
      this.#forget(oldest);
    }
  }

  #add(key: number, kept: KeptView): void {
    this.#kept.set(key, kept);
    this.#steps += weigh(kept.view);
  }

  #forget(key: number): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#steps -= weigh(kept.view);
  }
}

const weigh = ({ steps, handlers }: RunDetailView): number => 1 + steps.length + handlers.length;
