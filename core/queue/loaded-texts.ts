import type { RunDetail } from '../model/run/run.ts';
import { loadStored, type StoredSource } from '../run/reruns/load-stored.ts';

/** Workflows to cache: most queued runs belong to a few workflows. */
const maxCached = 16;

/** The workflows of stored runs, with a cache of the last few. */
export class LoadedTexts {
  readonly #cache = new Map<string, StoredSource>();

  /**
   * Loads like `loadStored`.
   * @throws `invalid_spec`
   */
  async load(detail: Pick<RunDetail, 'run' | 'spec'>): Promise<StoredSource> {
    const { text, base, file, document } = detail.spec;
    const key = JSON.stringify([file, document, base, text, detail.run.onlySteps]);
    const known = this.#cache.get(key);
    const loaded = known ?? (await loadStored(detail));
    this.#cache.delete(key);
    this.#cache.set(key, loaded);
    const oldest = this.#cache.keys().next();
    if (this.#cache.size > maxCached && oldest.done !== true) this.#cache.delete(oldest.value);
    return loaded;
  }
}
