import { handlerNames } from '../../model/workflow/handler-name.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import { mergeParams } from '../params.ts';
import type { WorkflowFields } from './normalize-fields.ts';

/**
 * Merges a workflow with the base configuration: variables, parameters, tags, `dotenv` and shell arguments are
 * appended to those of the base, mail and tracing settings are merged field by field, and for all other fields the
 * workflow's own value is used unless it is empty, 0 or false.
 */
export function mergeBase(base: WorkflowFields, own: WorkflowFields): WorkflowFields {
  return {
    ...mergeValues(base, own),
    env: [...base.env, ...own.env],
    params: mergeParams(base.params, own.params),
    tags: [...new Set([...base.tags, ...own.tags])],
    dotenv: base.dotenv && own.dotenv ? [...base.dotenv, ...own.dotenv] : (own.dotenv ?? base.dotenv),
    shell: mergeShell(base.shell, own.shell),
    ssh: mergeMaps(base.ssh, own.ssh),
    container: mergeMaps(base.container, own.container),
    registryAuths: mergeRegistryAuths(base.registryAuths, own.registryAuths),
    schedule: mergeValues(base.schedule, own.schedule),
    workerSelector: mergeMaps(base.workerSelector, own.workerSelector),
    // Not merged, so that a workflow can turn off what the base configuration turns on.
    mailOn: own.mailOn ?? base.mailOn,
    inheritedMailOn: base.mailOn !== undefined && own.mailOn === undefined ? true : undefined,
    smtp: mergeSmtp(base.smtp, own.smtp),
    errorMail: mergeMaps(base.errorMail, own.errorMail),
    infoMail: mergeMaps(base.infoMail, own.infoMail),
    otel: mergeOtel(base.otel, own.otel),
    runConfig: mergeMaps(base.runConfig, own.runConfig),
    ...mergeHandlers(base, own),
  };
}

/** Returns the own value of each field, or the base value if the own one is empty. */
function mergeValues<T extends object>(base: T, own: T): T {
  const merged = { ...base } as Record<string, unknown>;
  for (const [key, value] of Object.entries(own)) {
    if (!isEmpty(value) || isEmpty(merged[key])) merged[key] = value ?? merged[key];
  }
  return merged as T;
}

function isEmpty(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0);
}

function mergeMaps<T extends object>(base: T | undefined, own: T | undefined): T | undefined {
  return base && own ? mergeValues(base, own) : (own ?? base);
}

/** Merges credentials of several hosts; a string is not merged. */
function mergeRegistryAuths(
  base: Workflow['registryAuths'],
  own: Workflow['registryAuths'],
): Workflow['registryAuths'] {
  return typeof base === 'object' && typeof own === 'object' ? { ...base, ...own } : (own ?? base);
}

/** Merges two single servers field by field; if either is a list, the workflow's value is used. */
function mergeSmtp(base: Workflow['smtp'], own: Workflow['smtp']): Workflow['smtp'] {
  if (own === undefined || own.length === 0) return base;
  return base?.length === 1 && own.length === 1 ? [mergeValues(base[0]!, own[0]!)] : own;
}

function mergeOtel(base: Workflow['otel'], own: Workflow['otel']): Workflow['otel'] {
  if (base === undefined || own === undefined) return own ?? base;
  return {
    ...mergeValues(base, own),
    headers: { ...base.headers, ...own.headers },
    resource: { ...base.resource, ...own.resource },
  };
}

function mergeShell(base: Workflow['shell'], own: Workflow['shell']): Workflow['shell'] {
  if (base === undefined || own === undefined) return own ?? base;
  const [program, ...args] = own;
  return [program!, ...base.slice(1), ...args];
}

function mergeHandlers(
  base: WorkflowFields,
  own: WorkflowFields,
): Pick<WorkflowFields, 'handlers' | 'inheritedHandlers'> {
  if (own.skipBaseHandlers) return { handlers: own.handlers };
  const inherited = handlerNames.filter((name) => base.handlers[name] && !own.handlers[name]);
  return {
    handlers: { ...base.handlers, ...own.handlers },
    inheritedHandlers: inherited.length > 0 ? inherited : undefined,
  };
}
