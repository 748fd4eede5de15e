import type { Workflow } from '../../model/workflow.ts';
import { handlerNames } from '../../model/workflow-rules.ts';
import type { Step } from '../../model/step.ts';
import type { Authored } from '../authored.ts';
import { type Report, findField, isIncomplete, getField, type SourceRef } from '../source.ts';
import { rejectCycles, resolveDependencies, nameSteps } from './graph.ts';
import { applyTimeZone } from '../rules/schedule.ts';
import { findLiterals, listKnownNames, type KnownNames } from '../rules/literals.ts';
import { checkDirectShell, checkShellPackages } from '../rules/shell.ts';
import { mergeParams } from '../params.ts';
import { normalizeFields, type WorkflowFields } from './normalize-fields.ts';
import { normalizeStep } from './normalize-step.ts';
import { checkStepTarget, checkWorkflowTargets, applyTarget } from './step-target.ts';
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
  const authoredFields = normalizeFields(authored, source, report);
  const fields = base === undefined ? authoredFields : mergeBase(base, authoredFields);
  const type = fields.type ?? 'chain';
  for (const key of handlerNames) {
    const handler = findField(getField(source, 'handlerOn'), key);
    if (handler === undefined) continue;
    checkShellPackages(handler, fields.shell, report);
    checkDirectShell(handler, authoredFields.handlers[key]?.action, fields.shell, report);
    checkStepTarget(handler, authoredFields.handlers[key]?.action, fields, report);
  }
  checkWorkflowTargets(source, fields, report);
  const steps = normalizeSteps(authored.steps, { ...fields, type }, source, report);
  const handlers = applyToHandlers(fields);
  const names = listKnownNames({ ...fields, steps });
  for (const key of handlerNames)
    warnAboutLiterals(
      handlers[key],
      getField(getField(source, 'handlerOn'), key),
      fields.shell,
      names,
      report,
    );
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
  const source = getField(root, 'steps');
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
  drafts.forEach((draft, index) => warnAboutLiterals(built[index], draft.source, shell, known, report));
  return made.map((step) => applyTarget(step, fields));
}

/** Warns about references in a step that are not expanded although the author may expect it. */
function warnAboutLiterals(
  step: Step | undefined,
  source: SourceRef,
  shell: Workflow['shell'],
  names: KnownNames,
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

/**
 * Merges a workflow with the base configuration: variables, parameters, tags, `dotenv` and shell arguments are
 * appended to those of the base, mail and tracing settings are merged field by field, and for all other fields the
 * workflow's own value is used unless it is empty, 0 or false.
 */
function mergeBase(base: WorkflowFields, overrides: WorkflowFields): WorkflowFields {
  return {
    ...mergeValues(base, overrides),
    env: [...base.env, ...overrides.env],
    params: mergeParams(base.params, overrides.params),
    tags: [...new Set([...base.tags, ...overrides.tags])],
    dotenv:
      base.dotenv && overrides.dotenv
        ? [...base.dotenv, ...overrides.dotenv]
        : (overrides.dotenv ?? base.dotenv),
    shell: mergeShell(base.shell, overrides.shell),
    ssh: mergeMaps(base.ssh, overrides.ssh),
    container: mergeMaps(base.container, overrides.container),
    registryAuths: mergeRegistryAuths(base.registryAuths, overrides.registryAuths),
    schedule: mergeValues(base.schedule, overrides.schedule),
    expect: mergeMaps(base.expect, overrides.expect),
    workerSelector: mergeMaps(base.workerSelector, overrides.workerSelector),
    // Not merged, so that a workflow can turn off what the base configuration turns on.
    notify: overrides.notify ?? base.notify,
    mailOn: overrides.mailOn ?? base.mailOn,
    inheritedMailOn: base.mailOn !== undefined && overrides.mailOn === undefined ? true : undefined,
    smtp: mergeSmtp(base.smtp, overrides.smtp),
    errorMail: mergeMaps(base.errorMail, overrides.errorMail),
    infoMail: mergeMaps(base.infoMail, overrides.infoMail),
    otel: mergeOtel(base.otel, overrides.otel),
    runConfig: mergeMaps(base.runConfig, overrides.runConfig),
    ...mergeHandlers(base, overrides),
  };
}

/** Returns the own value of each field, or the base value if the own one is empty. */
function mergeValues<T extends object>(base: T, overrides: T): T {
  const merged = { ...base } as Record<string, unknown>;
  for (const [key, value] of Object.entries(overrides)) {
    if (!isEmpty(value) || isEmpty(merged[key])) merged[key] = value ?? merged[key];
  }
  return merged as T;
}

function isEmpty(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0);
}

function mergeMaps<T extends object>(base: T | undefined, overrides: T | undefined): T | undefined {
  return base && overrides ? mergeValues(base, overrides) : (overrides ?? base);
}

/** Merges credentials of several hosts; a string is not merged. */
function mergeRegistryAuths(
  base: Workflow['registryAuths'],
  overrides: Workflow['registryAuths'],
): Workflow['registryAuths'] {
  return typeof base === 'object' && typeof overrides === 'object'
    ? { ...base, ...overrides }
    : (overrides ?? base);
}

/** Merges two single servers field by field; if either is a list, the workflow's value is used. */
function mergeSmtp(base: Workflow['smtp'], overrides: Workflow['smtp']): Workflow['smtp'] {
  if (overrides === undefined || overrides.length === 0) return base;
  return base?.length === 1 && overrides.length === 1 ? [mergeValues(base[0]!, overrides[0]!)] : overrides;
}

function mergeOtel(base: Workflow['otel'], overrides: Workflow['otel']): Workflow['otel'] {
  if (base === undefined || overrides === undefined) return overrides ?? base;
  return {
    ...mergeValues(base, overrides),
    headers: { ...base.headers, ...overrides.headers },
    resource: { ...base.resource, ...overrides.resource },
  };
}

function mergeShell(base: Workflow['shell'], overrides: Workflow['shell']): Workflow['shell'] {
  if (base === undefined || overrides === undefined) return overrides ?? base;
  const [program, ...args] = overrides;
  return [program!, ...base.slice(1), ...args];
}

function mergeHandlers(
  base: WorkflowFields,
  overrides: WorkflowFields,
): Pick<WorkflowFields, 'handlers' | 'inheritedHandlers'> {
  if (overrides.skipBaseHandlers) return { handlers: overrides.handlers };
  const inherited = handlerNames.filter((name) => base.handlers[name] && !overrides.handlers[name]);
  return {
    handlers: { ...base.handlers, ...overrides.handlers },
    inheritedHandlers: inherited.length > 0 ? inherited : undefined,
  };
}
