import type { EnvEntry } from '../../model/workflow/values.ts';
import type { Parameter, Workflow } from '../../model/workflow/workflow.ts';
import {
  expandTemplate,
  expandVariables,
  type Expansion,
  type ExpansionScope,
} from '../../spec/expand/expand.ts';
import { expandWithHome } from '../../process/environment.ts';
import type { Reference } from '../../spec/expand/segment.ts';
import { mergeParams } from '../../spec/params.ts';

/** A command substitution that failed; the message names the command. */
export class SubstitutionError extends Error {
  override readonly name = 'SubstitutionError';
}

/** What values may refer to besides each other. */
export interface ValueSources {
  /** The engine's own environment: it may be expanded, but does not reach steps (seed 1, Environment rules). */
  readonly system: Readonly<Record<string, string | undefined>>;
  /**
   * Runs the command of a backtick substitution; rejects with `SubstitutionError`.
   * @param expand expands without running commands
   */
  runCommand(
    command: string,
    variables: Readonly<Record<string, string>>,
    expand: (text: string) => Promise<string>,
  ): Promise<string>;
  warn(message: string): void;
  /**
   * Stands in for a reference, whatever its path and modifier; undefined to look it up as usual.
   * @param value of the variable that it begins with
   */
  answer?(reference: Reference, value: string | undefined): string | undefined;
}

/** Positional parameters are named by their place. */
export const isPositional = (name: string): boolean => /^[1-9][0-9]*$/.test(name);

const hasReference = (text: string): boolean => /[$`]/.test(text);

/**
 * The parameters of a run: the workflow's defaults, expanded in order (a later one may refer to an
 * earlier one and to `env`), with the caller's values in their places. Those are data and stay as they are.
 * `$1` in a default is the parameter at that place: the value of a positional one, `NAME=value` of a named one.
 */
export async function resolveParams(
  workflow: Pick<Workflow, 'params' | 'env'>,
  given: readonly Parameter[],
  sources: ValueSources,
): Promise<Parameter[]> {
  const merged = mergeParams(workflow.params, given);
  const fixed = new Set(given.map((parameter) => parameter.name));
  const needsEnv = merged.some((parameter) => !fixed.has(parameter.name) && hasReference(parameter.value));
  const known = Object.fromEntries(given.map(({ name, value }) => [name, value]));
  const env = needsEnv ? await resolveEnv(workflow.env, known, sources) : {};
  const resolved: Parameter[] = [];
  // Without a prototype, since a parameter may have any name.
  const before = Object.create(null) as Record<string, string>;
  const places: Record<string, string> = {};
  const expand = (text: string): Promise<string> | string =>
    hasReference(text) ? expandValue(text, { ...env, ...places, ...before }, sources) : text;
  for (const [index, { name, value }] of merged.entries()) {
    const expanded = fixed.has(name) ? value : await expandWithHome(value, expand);
    resolved.push({ name, value: expanded });
    before[name] = expanded;
    places[index + 1] = isPositional(name) ? expanded : `${name}=${expanded}`;
  }
  return resolved;
}

/** Environment entries in order; each may refer to the ones before it, to what is known and to the system. */
export async function resolveEnv(
  entries: readonly EnvEntry[],
  known: Readonly<Record<string, string>>,
  sources: ValueSources,
): Promise<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const { name, value } of entries) {
    const variables = { ...known, ...env };
    env[name] = await expandWithHome(value, (text) => expandValue(text, variables, sources));
  }
  return env;
}

/** Expands one text against properties of steps and variables first, the system's environment last. */
export async function expandValue(
  text: string,
  variables: Readonly<Record<string, string>>,
  sources: ValueSources,
  stepProperty?: ExpansionScope['stepProperty'],
): Promise<string> {
  if (!hasReference(text)) return text;
  const lookup = (name: string): string | undefined =>
    Object.hasOwn(variables, name) ? variables[name] : sources.system[name];
  const scope: ExpansionScope = {
    stepProperty,
    lookup,
    answer: (reference) => sources.answer?.(reference, lookup(reference.name)),
  };
  const finish = ({ value, warnings }: Expansion): string => {
    for (const warning of warnings) sources.warn(warning);
    return value;
  };
  const runCommand = (command: string): Promise<string> =>
    sources.runCommand(command, variables, async (inner) => finish(expandVariables(inner, scope)));
  return finish(await expandTemplate(text, { ...scope, runCommand }));
}
