import type { SpecFile } from '../../library/read-spec.ts';
import type { RunRecord, SpecSource } from '../../model/run/run.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import { selectSteps } from '../../plan/select-steps.ts';
import { loadBaseConfig } from '../../spec/base-config.ts';
import { loadSpec } from '../../spec/load.ts';

/** Texts kept; a page of history shows runs of few versions of a file. */
const keptTexts = 64;

/** A workflow file without errors, and the base configuration that it was put over. */
type LoadedText = Pick<SpecFile, 'text' | 'baseText' | 'workflows'>;

/** The workflows that stored runs executed, loaded from the text kept with the run. */
export class StoredWorkflows {
  readonly #loaded = new Map<string, readonly Workflow[]>();

  /** Takes note of what a text has just been loaded to, so that it need not be loaded again for its run. */
  remember({ text, baseText, workflows }: LoadedText): void {
    this.#keep(keyOf(text, baseText), workflows);
  }

  /** The run's workflow, or the part of it that was run, under the run's name. A text this release cannot load any more has no steps. */
  find(run: RunRecord, spec: SpecSource): Workflow {
    const whole = this.#load(spec)[spec.document] ?? unknownWorkflow;
    const workflow = run.onlySteps === undefined ? whole : selectSteps(whole, run.onlySteps);
    return { ...workflow, name: run.name };
  }

  #load(spec: SpecSource): readonly Workflow[] {
    const key = keyOf(spec.text, spec.base);
    const workflows = this.#loaded.get(key) ?? loadStored(spec);
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

/** A NUL occurs in neither text. */
const keyOf = (text: string, base: string | undefined): string =>
  base === undefined ? text : `${base}\0${text}`;

function loadStored({ text, base, file }: SpecSource): readonly Workflow[] {
  const config = base === undefined ? undefined : loadBaseConfig({ text: base }).base;
  return loadSpec({ text, file, base: config }).workflows;
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
