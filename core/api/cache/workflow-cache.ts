import type { SpecFile } from '../../library/read-spec.ts';
import { isLarge, loadInThread } from '../../loading/load-in-thread.ts';
import { loadText, type TextToLoad } from '../../loading/load-texts.ts';
import type { RunRecord, SpecSource } from '../../model/run/run.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import { selectSteps } from '../../plan/select-steps.ts';

/** Maximum number of cached texts; a page of runs has few versions of a file. */
const keptTexts = 64;

/** A valid workflow file with its base configuration. */
type LoadedText = Pick<SpecFile, 'text' | 'baseText' | 'workflows'>;

/** Cache of the workflows of stored runs, loaded from the text that is stored with the run. */
export class WorkflowCache {
  readonly #loaded = new Map<string, readonly Workflow[]>();

  /** Caches the result of loading a text, so that it need not be loaded again for its run. */
  remember({ text, baseText, workflows }: LoadedText): void {
    this.#keep(keyOf(text, baseText), workflows);
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
    const key = keyOf(spec.text, spec.base);
    const known = this.#loaded.get(key) ?? (isLarge(key) ? undefined : loadText(toText(spec)).workflows);
    return known && selectWorkflow(known, run, spec);
  }

  async #load(spec: SpecSource): Promise<readonly Workflow[]> {
    const key = keyOf(spec.text, spec.base);
    const workflows = this.#loaded.get(key) ?? (await loadInThread(toText(spec))).workflows;
    this.#keep(key, workflows);
    return workflows;
  }

  #keep(key: string, workflows: readonly Workflow[]): void {
    this.#loaded.delete(key);
    this.#loaded.set(key, workflows);
    const [oldest] = this.#loaded.keys();
    if (this.#loaded.size > keptTexts && oldest !== undefined) this.#loaded.delete(oldest);
  }
}

/** Neither text contains a NUL. */
const keyOf = (text: string, base: string | undefined): string =>
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
