import { handlerNames } from '../../model/workflow/handler-name.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import type { Authored } from '../authored.ts';
import type { Report } from '../source/report.ts';
import { findPlace, isIncomplete, placeOf, type SourceRef } from '../source/source-node.ts';
import { rejectCycles } from '../rules/graph/cycles.ts';
import { applyTimeZone } from '../rules/schedule.ts';
import { findLiterals, listKnownNames, type ReferableNames } from '../rules/literals/find-literals.ts';
import { wireSteps } from '../rules/graph/dependencies.ts';
import { nameSteps } from '../rules/graph/names.ts';
import { checkDirectShell } from '../rules/shell.ts';
import { checkShellPackages } from '../rules/shell-packages.ts';
import { mergeBase } from './merge-base.ts';
import { normalizeFields, type WorkflowFields } from './normalize-fields.ts';
import { normalizeStep } from './normalize-step.ts';
import { checkPlacedStep, checkPlaces, placeStep } from './placed-steps.ts';
import { draftSteps } from './step-draft.ts';

const DEFAULT_CLEAN_UP_SEC = 5;
const DEFAULT_OUTPUT_BYTES = 1024 * 1024;

/** A document that matches the authored schema, before it is normalized. */
export interface Document {
  /** The plain value of `place`. */
  readonly authored: Authored;
  readonly place: SourceRef;
  /** Its own name, or the default name. */
  readonly name: string;
}

/**
 * Normalizes one document: expands shorthands, applies defaults and resolves dependencies.
 * @param base fields of the base configuration
 * @returns a workflow, which must not be used if `report` received an error
 */
export function normalizeWorkflow(
  { authored, place, name }: Document,
  base: WorkflowFields | undefined,
  report: Report,
): Workflow {
  const own = normalizeFields(authored, place, report);
  const fields = base === undefined ? own : mergeBase(base, own);
  const type = fields.type ?? 'chain';
  for (const key of handlerNames) {
    const handler = findPlace(placeOf(place, 'handlerOn'), key);
    if (handler === undefined) continue;
    checkShellPackages(handler, fields.shell, report);
    checkDirectShell(handler, own.handlers[key]?.action, fields.shell, report);
    checkPlacedStep(handler, own.handlers[key]?.action, fields, report);
  }
  checkPlaces(place, fields, report);
  const steps = normalizeSteps(authored.steps, { ...fields, type }, place, report);
  const handlers = applyToHandlers(fields);
  const names = listKnownNames({ ...fields, steps });
  for (const key of handlerNames)
    warnOfLiterals(handlers[key], placeOf(placeOf(place, 'handlerOn'), key), fields.shell, names, report);
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
  const place = placeOf(root, 'steps');
  const errorsBefore = report.errorCount;
  const drafts = draftSteps(steps, place, report);
  if (drafts.length === 0 && report.errorCount === errorsBefore && !isIncomplete(root)) {
    report.errorAt(
      place.node.start,
      'steps',
      'The workflow has no steps. Add "steps:" with at least one step, such as "- echo hello".',
    );
  }
  for (const draft of drafts) {
    checkShellPackages(draft.place, shell, report);
    checkDirectShell(draft.place, draft.action, shell, report);
    checkPlacedStep(draft.place, draft.action, fields, report);
  }
  const names = nameSteps(drafts, report);
  const depends = wireSteps(type, drafts, names, report);
  if (new Set(names).size === names.length) rejectCycles(drafts, names, depends, report);
  const built = drafts.map((draft, index) => normalizeStep(draft, names[index]!, depends[index]!, report));
  const made = built.filter((step) => step !== undefined);
  const known = listKnownNames({ ...fields, steps: made });
  drafts.forEach((draft, index) => warnOfLiterals(built[index], draft.place, shell, known, report));
  return made.map((step) => placeStep(step, fields));
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
    report.warning(findPlace(source, field) ?? source, message);
}

function applyToHandlers({ handlers, ...places }: WorkflowFields): Workflow['handlers'] {
  const applied = { ...handlers };
  for (const key of handlerNames) {
    const step = handlers[key];
    if (step !== undefined) applied[key] = placeStep(step, places);
  }
  return applied;
}
