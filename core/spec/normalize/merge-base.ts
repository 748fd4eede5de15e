import { handlerNames } from '../../model/workflow/handler-name.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import { mergeParams } from '../params.ts';
import type { WorkflowFields } from './normalize-fields.ts';

/**
 * Merges a workflow with the base configuration: variables, parameters, tags, `dotenv` and shell arguments are
 * appended to those of the base, mail and tracing settings are merged field by field, and for all other fields the
 * workflow's own value is used unless it is empty, 0 or false.
 */
export function mergeBase(base: WorkflowFields, overrides: WorkflowFields): WorkflowFields {
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
    workerSelector: mergeMaps(base.workerSelector, overrides.workerSelector),
    // Not merged, so that a workflow can turn off what the base configuration turns on.
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
