import { LruCache } from '../base/lru-cache.ts';
import type { RunDetailView } from '../contract/run-views.ts';
import type { SpecFile } from '../home/library/read-spec.ts';
import { isLarge, loadInThread } from '../home/library/load-in-thread.ts';
import { loadText, type TextToLoad } from '../home/library/load-text.ts';
import type { RunRecord, SpecSource } from '../model/run.ts';
import type { Workflow } from '../model/workflow.ts';
import { selectSteps } from '../spec/plan/graph.ts';

/** Maximum number of cached lists: pages that are open or requested repeatedly. */
const maxLists = 8;

/** A list, and until when it is valid if its sources do not change. */
export interface LoadedList<List> {
  readonly list: List;
  /** Epoch milliseconds; absent if the validity is unknown. */
  readonly until?: number | undefined;
}

interface CachedList {
  readonly sources: readonly unknown[];
  readonly from: number;
  readonly until: number;
  readonly list: object;
}

/** Caches lists: as long as nothing has changed, every caller gets the same object. */
export class ListCache {
  readonly #cached = new LruCache<string, CachedList>(maxLists);

  /**
   * Returns the cached list if it is still valid, else a new one, which must not be changed.
   * @param key identifies the operation and its input
   * @param sources everything that the list depends on, read before; each source must be the same value as long as it
   * has not changed
   * @param now epoch milliseconds
   */
  async answer<List extends object>(
    key: string,
    sources: readonly unknown[],
    now: number,
    make: () => Promise<LoadedList<List>>,
  ): Promise<List> {
    const cached = this.#cached.get(key);
    if (cached !== undefined && isFresh(cached, sources, now)) return cached.list as List;
    this.#cached.delete(key);
    const { list, until } = await make();
    if (until === undefined) return list;
    this.#cached.set(key, { sources, from: now, until, list });
    markCached(list);
    return list;
  }
}

/** Also checks the start, because the clock may have been set back. */
const isFresh = ({ sources, from, until }: CachedList, now: readonly unknown[], at: number): boolean =>
  from <= at && at < until && sources.every((source, index) => source === now[index]);

/** Maximum number of steps in all cached views, about two kilobytes each. */
const maxSteps = 10_000;

interface CachedRun {
  readonly version: string;
  readonly view: RunDetailView;
}

/**
 * Cache of views of recently requested runs: for a run without changes, every caller gets the same object.
 * `lastEventId` is that of the time when the view was built, after which the run had no events.
 */
export class RunDetailCache {
  readonly #cached = new LruCache<number, CachedRun>(maxSteps, ({ view }) => countNodes(view));

  /**
   * Returns the cached view of a run; undefined if it must be built.
   * @param key key of the run
   * @param version identifies the state of the view
   */
  find(key: number, version: string): RunDetailView | undefined {
    const cached = this.#cached.get(key);
    if (cached?.version === version) return cached.view;
    this.#cached.delete(key);
    return undefined;
  }

  /** Caches a view, which must not be changed. Its version must be read before it is built. */
  set(key: number, version: string, view: RunDetailView): void {
    if (countNodes(view) > maxSteps) return;
    this.#cached.set(key, { version, view });
    markCached(view);
  }
}

const countNodes = ({ steps, handlers }: RunDetailView): number => 1 + steps.length + handlers.length;

/** Maximum number of cached texts; a page of runs has few versions of a file. */
const maxCachedTexts = 64;

/** A valid workflow file with its base configuration. */
type LoadedText = Pick<SpecFile, 'text' | 'baseText' | 'workflows'>;

/** Cache of the workflows of stored runs, loaded from the text that is stored with the run. */
export class WorkflowCache {
  readonly #loaded = new LruCache<string, readonly Workflow[]>(maxCachedTexts);

  /** Caches the result of loading a text, so that it need not be loaded again for its run. */
  remember({ text, baseText, workflows }: LoadedText): void {
    this.#loaded.set(getKey(text, baseText), workflows);
  }

  /**
   * Returns the workflow of a run, or the part that was run, with the name of the run. A text that this version cannot
   * load has no steps.
   */
  async find(run: RunRecord, spec: SpecSource): Promise<Workflow> {
    return selectWorkflow(await this.#load(spec), run, spec);
  }

  /** Does the same as {@link find}; returns undefined for a large text that is not loaded yet. */
  peek(run: RunRecord, spec: SpecSource): Workflow | undefined {
    const key = getKey(spec.text, spec.base);
    const known = this.#loaded.get(key) ?? (isLarge(key) ? undefined : loadText(toText(spec)).workflows);
    return known && selectWorkflow(known, run, spec);
  }

  async #load(spec: SpecSource): Promise<readonly Workflow[]> {
    const key = getKey(spec.text, spec.base);
    const workflows = this.#loaded.get(key) ?? (await loadInThread(toText(spec))).workflows;
    this.#loaded.set(key, workflows);
    return workflows;
  }
}

/** Neither text contains a NUL. */
const getKey = (text: string, base: string | undefined): string =>
  base === undefined ? text : `${base}\0${text}`;

const toText = ({ text, base, file }: SpecSource): TextToLoad => ({
  text,
  file,
  base: base === undefined ? undefined : { text: base },
});

/** Returns the workflow of a run, or the part that was run, with the name of the run. */
function selectWorkflow(workflows: readonly Workflow[], run: RunRecord, { document }: SpecSource): Workflow {
  const whole = workflows[document] ?? unknownWorkflow;
  const workflow = run.onlySteps === undefined ? whole : selectSteps(whole, run.onlySteps);
  return { ...workflow, name: run.name };
}

const unknownWorkflow: Workflow = {
  name: 'unknown',
  type: 'chain',
  tags: [],
  steps: [],
  handlers: {},
  env: [],
  params: [],
  preconditions: [],
  maxActiveRuns: 1,
  maxActiveSteps: 0,
  maxCleanUpTimeSec: 5,
  maxOutputSize: 1024 * 1024,
  schedule: { start: [], stop: [], restart: [] },
};

const shared = new WeakSet<object>();

/** Marks a response as shared by several callers and immutable, so that it can be encoded once. */
export const markCached = (response: object): void => void shared.add(response);

export const isShared = (response: unknown): response is object =>
  typeof response === 'object' && response !== null && shared.has(response);
