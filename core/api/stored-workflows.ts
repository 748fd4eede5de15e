import type { RunRecord, SpecSource } from '../model/run.ts';
import type { Workflow } from '../model/workflow.ts';
import { selectSteps } from '../plan/select-steps.ts';
import { loadBaseConfig } from '../spec/base-config.ts';
import { loadSpec } from '../spec/load.ts';

/** Texts kept; a page of history shows runs of few versions of a file. */
const keptTexts = 64;

/** The workflows that stored runs executed, loaded from the text kept with the run. */
export class StoredWorkflows {
  readonly #loaded = new Map<string, readonly Workflow[]>();

  /** The run's workflow, or the part of it that was run, under the run's name. A text this release cannot load any more has no steps. */
  find(run: RunRecord, spec: SpecSource): Workflow {
    const whole = this.#load(spec)[spec.document] ?? unknownWorkflow;
    const workflow = run.onlySteps === undefined ? whole : selectSteps(whole, run.onlySteps);
    return { ...workflow, name: run.name };
  }

  #load(spec: SpecSource): readonly Workflow[] {
    // A NUL occurs in neither text.
    const key = spec.base === undefined ? spec.text : `${spec.base}\0${spec.text}`;
    let workflows = this.#loaded.get(key);
    if (workflows === undefined) {
      workflows = loadStored(spec);
      const oldest = this.#loaded.keys().next();
      if (this.#loaded.size >= keptTexts && oldest.done !== true) this.#loaded.delete(oldest.value);
    } else {
      this.#loaded.delete(key);
    }
    this.#loaded.set(key, workflows);
    return workflows;
  }
}

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
