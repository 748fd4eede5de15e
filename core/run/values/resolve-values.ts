import type { EnvEntry } from '../../model/step.ts';
import type { Parameter, Workflow } from '../../model/workflow.ts';
import {
  expandTemplate,
  expandVariables,
  nameLimit,
  type Expansion,
  type ExpansionScope,
} from '../../spec/expand.ts';
import { expandWithHome, filterEnvironment } from '../../process/environment.ts';
import type { Reference } from '../../spec/parse-template.ts';
import { mergeParams } from '../../spec/params.ts';
import { bindVariables } from '../../executors/shell/bind-variables.ts';
import { readDialect, buildCommandArgv, findDefaultShell } from '../../executors/shell/shell.ts';
import { captureCommand, type Captured, type CaptureRequest } from '../../process/capture.ts';
import type { SecretSources } from '../../process/secrets/provider.ts';
import { hasReference } from '../../spec/parse-template.ts';

/** A command substitution that failed; the message names the command. */
export class SubstitutionError extends Error {
  override readonly name = 'SubstitutionError';
}

/** Sources that values may refer to in addition to each other. */
export interface ValueSources {
  /** The engine's own environment: values may refer to it, but steps do not get it. */
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
   * Returns a replacement for a reference, whatever its path and modifier; undefined to look it up as usual.
   * @param value of the variable at the start of the reference
   */
  answer?(reference: Reference, value: string | undefined): string | undefined;
}

/** Whether a parameter is positional, so that its name is its position. */
export const isPositional = (name: string): boolean => /^[1-9][0-9]*$/.test(name);

/**
 * Resolves the parameters of a run: the workflow's defaults, expanded in order (a later one may refer to an earlier one
 * and to `env`), overridden by the caller's values, which are data and never expanded. `$1` in a default is the
 * parameter at that position: the value of a positional one, `NAME=value` of a named one.
 */
export async function resolveParams(
  workflow: Pick<Workflow, 'params' | 'env'>,
  parameters: readonly Parameter[],
  sources: ValueSources,
): Promise<Parameter[]> {
  const merged = mergeParams(workflow.params, parameters);
  const fixed = new Set(parameters.map((parameter) => parameter.name));
  const needsEnv = merged.some((parameter) => !fixed.has(parameter.name) && hasReference(parameter.value));
  const known = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
  const env = needsEnv ? await resolveEnv(workflow.env, known, sources) : {};
  const resolved: Parameter[] = [];
  // One map for all of them, because copying for each would be quadratic; without a prototype, because a parameter can
  // have any name.
  const visible = Object.assign(Object.create(null) as Record<string, string>, env);
  const named = new Set<string>();
  for (const [index, { name, value }] of merged.entries()) {
    const expanded = fixed.has(name) ? value : await expandNamed(name, value, visible, sources);
    resolved.push({ name, value: expanded });
    const position = String(index + 1);
    if (!named.has(position)) visible[position] = isPositional(name) ? expanded : `${name}=${expanded}`;
    named.add(name);
    visible[name] = expanded;
  }
  return resolved;
}

/**
 * Resolves environment entries in order; each may refer to the entries before it, to known variables and to the system.
 */
export async function resolveEnv(
  entries: readonly EnvEntry[],
  known: Readonly<Record<string, string>>,
  sources: ValueSources,
): Promise<Record<string, string>> {
  const env: Record<string, string> = {};
  // One map for all entries, because copying for each would be quadratic.
  const visible = Object.assign(Object.create(null) as Record<string, string>, known);
  for (const { name, value } of entries)
    visible[name] = env[name] = await expandNamed(name, value, visible, sources);
  return env;
}

/**
 * Expands the value of a variable or parameter, including a leading `~`.
 * @throws AppError that names the variable when the value is too long
 */
export async function expandNamed(name: string, value: string, ...rest: ExpandArguments): Promise<string> {
  try {
    return await expandWithHome(value, (text) => expandValue(text, ...rest));
  } catch (error) {
    throw nameLimit(name, error);
  }
}

type ExpandArguments = Parameters<typeof expandValue> extends [string, ...infer Rest] ? Rest : never;

/**
 * Expands one string against properties of steps and variables first, the system's environment last.
 * @param baseEnv values for names that no variable has
 */
export async function expandValue(
  text: string,
  variables: Readonly<Record<string, string>>,
  sources: ValueSources,
  stepProperty?: ExpansionScope['stepProperty'],
  baseEnv: Readonly<Record<string, string>> = {},
): Promise<string> {
  if (!hasReference(text)) return text;
  const lookup = (name: string): string | undefined =>
    [variables, baseEnv].find((known) => Object.hasOwn(known, name))?.[name] ?? sources.system[name];
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
    sources.runCommand(command, { ...baseEnv, ...variables }, async (inner) =>
      finish(expandVariables(inner, scope)),
    );
  return finish(await expandTemplate(text, { ...scope, runCommand }));
}

/** Captured bytes of the output of a substituted command or a condition. */
const captureLimit = 1024 * 1024;

/** The variables of the system, and of the parent run for a sub-run, that values may refer to. */
export interface SystemContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of additional variables that steps see without declaring them. */
  readonly passed?: ReadonlySet<string> | undefined;
  warn(message: string): void;
  /** Tags the commands in values; see `valuesTag`. */
  readonly tag?: string | undefined;
  /** Aborted to cancel a command in a value. */
  readonly signal?: AbortSignal | undefined;
  /** Sources of secrets other than variables and files. */
  readonly secretSources?: SecretSources | undefined;
}

/** Returns where values come from, outside a run (parameter defaults) and inside it. */
export function valueSources(system: SystemContext, cwd: string): ValueSources {
  return {
    system: system.environment,
    warn: system.warn,
    async runCommand(command, variables, expand) {
      const captured = await runInShell({
        command,
        positional: [],
        env: { ...filterEnvironment(system.environment, process.platform, system.passed), ...variables },
        expand,
        cwd,
        signal: system.signal,
        tag: system.tag,
      });
      if (captured.error !== undefined)
        throw new SubstitutionError(`Command \`${command}\` failed: ${captured.error}`);
      return captured.stdout.trim();
    },
  };
}

/** A command outside a step's attempt: a condition, or a substitution. */
interface ShellTask extends Pick<CaptureRequest, 'cwd' | 'signal' | 'tag'> {
  readonly command: string;
  /** Default: the default shell. */
  readonly shell?: readonly string[] | undefined;
  readonly positional: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Expands references that the shell cannot read. */
  expand(text: string): Promise<string>;
}

/**
 * Runs the command with its values in variables, as for a step. It is a single command, so the shell's `-e` would
 * change nothing.
 */
export async function runInShell(task: ShellTask): Promise<Captured> {
  const shell = task.shell ?? findDefaultShell(task.env, process.platform);
  const { text, extraEnv } = await bindVariables(task, readDialect(shell), task.command);
  return captureCommand({
    argv: buildCommandArgv({ command: shell, chosenByStep: true }, text, task.positional),
    env: { ...task.env, ...extraEnv },
    cwd: task.cwd,
    signal: task.signal,
    tag: task.tag,
    maxBytes: captureLimit,
  });
}
