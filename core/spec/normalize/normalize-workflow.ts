import { handlerNames } from '../../model/workflow/handler-name.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import type { Authored } from '../authored.ts';
import type { Report } from '../source/report.ts';
import { findField, isIncomplete, fieldOf, type SourceRef } from '../source/source-node.ts';
import { rejectCycles } from '../rules/graph/cycles.ts';
import { applyTimeZone } from '../rules/schedule.ts';
import { findLiterals, listKnownNames, type ReferableNames } from '../rules/literals/find-literals.ts';
import { resolveDependencies } from '../rules/graph/dependencies.ts';
import { nameSteps } from '../rules/graph/names.ts';
import { checkDirectShell } from '../rules/shell.ts';
import { checkShellPackages } from '../rules/shell-packages.ts';
import { mergeBase } from './merge-base.ts';
import { normalizeFields, type WorkflowFields } from './normalize-fields.ts';
import { normalizeStep } from './normalize-step.ts';
import { checkStepTarget, checkWorkflowTargets, applyTarget } from './placed-steps.ts';
import { draftSteps } from './step-draft.ts';

const DEFAULT_CLEAN_UP_SEC = 5;
const DEFAULT_OUTPUT_BYTES = 1024 * 1024;

/** A document that matches the authored schema, before it is normalized. */
export interface Document {
  /** The plain value of `source`. */
  readonly authored: Authored;
  readonly source: SourceRef;
  /** Its own name, or the default name. */
  readonly name: string;
}

/**
 * Normalizes one document: expands shorthands, applies defaults and resolves dependencies.
 * @param base fields of the base configuration
 * @returns a workflow, which must not be used if `report` received an error
 */
export function normalizeWorkflow(
  { authored, source, name }: Document,
  base: WorkflowFields | undefined,
  report: Report,
): Workflow {
  const ownFields = normalizeFields(authored, source, report);
  const fields = base === undefined ? ownFields : mergeBase(base, ownFields);
  const type = fields.type ?? 'chain';
  for (const key of handlerNames) {
    const handler = findField(fieldOf(source, 'handlerOn'), key);
    if (handler === undefined) continue;
    checkShellPackages(handler, fields.shell, report);
    checkDirectShell(handler, ownFields.handlers[key]?.action, fields.shell, report);
    checkStepTarget(handler, ownFields.handlers[key]?.action, fields, report);
  }
  checkWorkflowTargets(source, fields, report);
  const steps = normalizeSteps(authored.steps, { ...fields, type }, source, report);
  const handlers = applyToHandlers(fields);
  const names = listKnownNames({ ...fields, steps });
  for (const key of handlerNames)
    warnOfLiterals(handlers[key], fieldOf(fieldOf(source, 'handlerOn'), key), fields.shell, names, report);
  return {
    ...fields,
    name,
    type,
    steps,
    handlers,
    schedule: applyTimeZone(fields.schedule, fields.timezone),
    maxActiveRuns: fields.maxActiveRuns ?? 1,
    maxActiveSteps: fields.maxActiveSteps ?? 0,
    maxCleanUpTimeSec: fields.maxCleanUpTimeSec ?? DEFAULT_CLEAN_UP_SEC,
    maxOutputSize: fields.maxOutputSize ?? DEFAULT_OUTPUT_BYTES,
  };
}

function normalizeSteps(
  steps: Authored['steps'],
  { type, shell, ...fields }: Pick<Workflow, 'type'> & WorkflowFields,
  root: SourceRef,
  report: Report,
): Step[] {
  const source = fieldOf(root, 'steps');
  const errorsBefore = report.errorCount;
  const drafts = draftSteps(steps, source, report);
  if (drafts.length === 0 && report.errorCount === errorsBefore && !isIncomplete(root)) {
    report.errorAt(
      source.node.start,
      'steps',
      'The workflow has no steps. Add "steps:" with at least one step, such as "- echo hello".',
    );
  }
  for (const draft of drafts) {
    checkShellPackages(draft.source, shell, report);
    checkDirectShell(draft.source, draft.action, shell, report);
    checkStepTarget(draft.source, draft.action, fields, report);
  }
  const names = nameSteps(drafts, report);
  const depends = resolveDependencies(type, drafts, names, report);
  if (new Set(names).size === names.length) rejectCycles(drafts, names, depends, report);
  const built = drafts.map((draft, index) => normalizeStep(draft, names[index]!, depends[index]!, report));
  const made = built.filter((step) => step !== undefined);
  const known = listKnownNames({ ...fields, steps: made });
  drafts.forEach((draft, index) => warnOfLiterals(built[index], draft.source, shell, known, report));
  return made.map((step) => applyTarget(step, fields));
}

/** Warns about references in a step that are not expanded although the author may expect it. */
function warnOfLiterals(
  step: Step | undefined,
  source: SourceRef,
  shell: Workflow['shell'],
  names: ReferableNames,
  report: Report,
): void {
  if (step === undefined) return;
  for (const { field, message } of findLiterals(step, shell, names))
    report.warning(findField(source, field) ?? source, message);
}

function applyToHandlers({ handlers, ...target }: WorkflowFields): Workflow['handlers'] {
  const applied = { ...handlers };
  for (const key of handlerNames) {
    const step = handlers[key];
    if (step !== undefined) applied[key] = applyTarget(step, target);
  }
  return applied;
}
