import path from 'node:path';
import { AppError, toAppError } from '../../base/errors.ts';
import type { RunRef } from '../../model/run/run.ts';
import { joinSelectors, type WorkerSelector } from '../../model/workflow/worker-selector.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import { findNode } from '../find-node.ts';
import type { RunStore } from '../ports.ts';
import { ScopeBuilder, type Inheritance } from '../values/open-scope.ts';
import { StepProperties } from '../values/step-properties.ts';
import type { SystemContext } from '../values/value-sources.ts';
import { assertNoMaskedParams } from '../mask-params.ts';
import { readRunOtel } from '../record/run-telemetry.ts';
import { loadStored } from './load-stored.ts';

/** An ended run whose values are resolved again. */
export interface InheritanceInput {
  readonly store: Pick<RunStore, 'getDetail'>;
  /** Absolute path of the home. */
  readonly home: string;
  readonly system: SystemContext;
}

/**
 * Resolves what a run passes on to the runs of its steps again, from what is stored of it: for a sub-run that is
 * retried separately.
 * @throws `bad_request` when a value is no longer available
 */
export async function readInheritance(
  input: InheritanceInput,
  parent: RunRef & { readonly step: string },
): Promise<Inheritance | undefined> {
  const detail = input.store.getDetail(parent);
  if (detail === undefined) return undefined;
  const { run } = detail;
  assertNoMaskedParams(run);
  const { workflow, source } = await loadStored(detail);
  const inherited = run.parent && (await readInheritance(input, run.parent));
  const scopeBuilder = new ScopeBuilder({
    record: run,
    params: run.params,
    workflow,
    specFile: source.file,
    system: input.system,
    inherited,
    steps: new StepProperties([]),
  });
  try {
    const opened = await scopeBuilder.open(path.resolve(input.home, run.logDir));
    return {
      ...opened.inheritance,
      workerSelector: selectorFor(parent.step, workflow, inherited),
      telemetry: await readRunOtel(workflow, inherited, opened),
    };
  } catch (error) {
    const reason = (await scopeBuilder.openMasker()).mask(toAppError(error).message);
    throw new AppError(
      'bad_request',
      `Cannot restore the values that run ${run.dagRunId} of ${run.name} passes to sub-runs: ${reason}`,
    );
  }
}

/**
 * Returns the labels that the step passed on to its sub-runs. Only the step's name is stored, which a handler may
 * share.
 */
function selectorFor(
  name: string,
  workflow: Workflow,
  inherited: Inheritance | undefined,
): WorkerSelector | undefined {
  const step =
    findNode(workflow, { section: 'step', name }) ?? findNode(workflow, { section: 'handler', name });
  return joinSelectors(inherited?.workerSelector, workflow.workerSelector, step?.workerSelector);
}
