import type { EnvEntry } from '../../model/workflow/values.ts';
import type { Parameter, Workflow } from '../../model/workflow/workflow.ts';
import {
  expandTemplate,
  expandVariables,
  nameLimit,
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
  /** The engine's own environment: it may be expanded, but does not reach steps. */
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
  // One map for all of them, since a copy for each would take the square of their number; without a prototype, since a
  // parameter may have any name.
  const seen = Object.assign(Object.create(null) as Record<string, string>, env);
  const named = new Set<string>();
  for (const [index, { name, value }] of merged.entries()) {
    const expanded = fixed.has(name) ? value : await expandNamed(name, value, seen, sources);
    resolved.push({ name, value: expanded });
    const place = String(index + 1);
    if (!named.has(place)) seen[place] = isPositional(name) ? expanded : `${name}=${expanded}`;
    named.add(name);
    seen[name] = expanded;
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
  // One map for all entries: a copy for each would take the square of their number.
  const seen = Object.assign(Object.create(null) as Record<string, string>, known);
  for (const { name, value } of entries)
    seen[name] = env[name] = await expandNamed(name, value, seen, sources);
  return env;
}

/**
 * Expands the value of a variable or parameter, with `~` at its beginning.
 * @throws AppError that names the variable when the value is too long
 */
export async function expandNamed(name: string, value: string, ...rest: ExpandArguments): Promise<string> {
  try {
    return await expandWithHome(value, (text) => expandValue(text, ...rest));
  } catch (thrown) {
    throw nameLimit(name, thrown);
  }
}

type ExpandArguments = Parameters<typeof expandValue> extends [string, ...infer Rest] ? Rest : never;

/**
 * Expands one text against properties of steps and variables first, the system's environment last.
 * @param below what counts where variables have no such name
 */
export async function expandValue(
  text: string,
  variables: Readonly<Record<string, string>>,
  sources: ValueSources,
  stepProperty?: ExpansionScope['stepProperty'],
  below: Readonly<Record<string, string>> = {},
): Promise<string> {
  if (!hasReference(text)) return text;
  const lookup = (name: string): string | undefined =>
    [variables, below].find((known) => Object.hasOwn(known, name))?.[name] ?? sources.system[name];
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
    sources.runCommand(command, { ...below, ...variables }, async (inner) =>
      finish(expandVariables(inner, scope)),
    );
  return finish(await expandTemplate(text, { ...scope, runCommand }));
}
