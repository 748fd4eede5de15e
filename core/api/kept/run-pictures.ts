import type { RunDetailView } from '../../contract/runs/run-views.ts';
import { markShared } from './shared-answers.ts';

/** Steps of all pictures that are kept, about two kilobytes each. */
const mostSteps = 10_000;

interface KeptPicture {
  readonly mark: string;
  readonly view: RunDetailView;
}

/**
 * Pictures of runs, the latest asked for: of a run that has ended, or of which just nothing happens, everybody is given
 * the same one. Its `lastEventId` stays that of the moment of the picture, after which no event of the run came.
 */
export class RunPictures {
  readonly #kept = new Map<number, KeptPicture>();
  #steps = 0;

  /**
   * The picture of a run; undefined when it has to be made.
   * @param key of the run
   * @param mark tells what the picture shows from what any other shows
   */
  find(key: number, mark: string): RunDetailView | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#forget(key);
    if (kept.mark !== mark) return undefined;
    this.#add(key, kept);
    return kept.view;
  }

  /** Keeps a picture that nobody changes any more, made after its mark was read. */
  keep(key: number, mark: string, view: RunDetailView): void {
    if (weigh(view) > mostSteps) return;
    this.#forget(key);
    this.#add(key, { mark, view });
    markShared(view);
    for (const oldest of this.#kept.keys()) {
      if (this.#steps <= mostSteps) return;
      this.#forget(oldest);
    }
  }

  #add(key: number, kept: KeptPicture): void {
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
