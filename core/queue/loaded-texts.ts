import type { RunDetail } from '../model/run/run.ts';
import { loadStored, type StoredSource } from '../run/reruns/load-stored.ts';

/** Workflows to cache: most queued runs belong to a few workflows. */
const maxCached = 16;

/** The workflows of stored runs, with a cache of the last few. */
export class LoadedTexts {
  readonly #kept = new Map<string, StoredSource>();

  /**
   * Loads like `loadStored`.
   * @throws `invalid_spec`
   */
  async load(detail: Pick<RunDetail, 'run' | 'spec'>): Promise<StoredSource> {
    const { text, base, file, document } = detail.spec;
    const key = JSON.stringify([file, document, base, text, detail.run.onlySteps]);
    const known = this.#kept.get(key);
    const loaded = known ?? (await loadStored(detail));
    this.#kept.delete(key);
    this.#kept.set(key, loaded);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > maxCached && oldest.done !== true) this.#kept.delete(oldest.value);
    return loaded;
  }
}
