import { AppError } from '../base/errors.ts';
import { findNearest } from '../base/text/nearest.ts';
import type { Step } from '../model/workflow/step.ts';
import type { Workflow } from '../model/workflow/workflow.ts';
import { findUpstream, orderTopologically } from './graph.ts';

/** A part of a workflow: some steps by name, or one step with all of its dependencies. */
export type StepSelection = { readonly steps: readonly string[] } | { readonly upTo: string };

/**
 * Returns the names of the selected steps, in file order.
 * @throws `not_found` for an unknown step
 */
export function selectedNames(
  { name, steps }: Pick<Workflow, 'name' | 'steps'>,
  selection: StepSelection,
): string[] {
  const requested = 'upTo' in selection ? [selection.upTo] : selection.steps;
  const known = new Set(steps.map((step) => step.name));
  const unknown = requested.find((step) => !known.has(step));
  if (unknown !== undefined) throw unknownStep(name, unknown, [...known]);
  const selected = new Set(requested);
  if ('upTo' in selection) for (const step of findUpstream(steps, requested)) selected.add(step);
  return steps.map((step) => step.name).filter((step) => selected.has(step));
}

/**
 * Returns the workflow reduced to these steps: indirect dependencies between them become direct ones. Handlers and
 * mails, which concern the whole workflow, are left out.
 */
export function selectSteps(workflow: Workflow, names: readonly string[]): Workflow {
  const selected = new Set(names);
  const depends = reconnect(workflow.steps, selected);
  const steps = workflow.steps
    .filter(({ name }) => selected.has(name))
    .map((step): Step => ({ ...step, depends: depends.get(step.name)!, mailOnError: undefined }));
  return { ...workflow, steps, handlers: {}, inheritedHandlers: undefined, mailOn: undefined };
}

/** Returns the selected steps that each step depends on. */
function reconnect(steps: readonly Step[], selected: ReadonlySet<string>): Map<string, string[]> {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const depends = new Map<string, string[]>();
  for (const name of orderTopologically(steps)) {
    const matched = byName
      .get(name)!
      .depends.flatMap((dependency) => (selected.has(dependency) ? [dependency] : depends.get(dependency)!));
    depends.set(name, [...new Set(matched)]);
  }
  return depends;
}

function unknownStep(dag: string, step: string, names: readonly string[]): AppError {
  const nearest = findNearest(step, names);
  const suggestion = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return new AppError('not_found', `${dag} has no step "${step}".${suggestion}`);
}
