import { isAbsolute, join, resolve } from 'node:path';
import { formatReference, parseActionReference, type ActionReference } from '../../model/executor-tables.ts';
import { findNearest } from '../../base/text.ts';
import { type Manifest, readManifest, imageRuns, type InputDefinition } from './manifest.ts';
import { ActionRecord } from './commands.ts';
import { findRepository, type CacheTools } from './action-cache.ts';
import { fillText, type ExpressionScope } from './evaluate.ts';

/** One use of an action, ready to run. */
export interface ActionInstance {
  /** The action as the user or the composite action wrote it. */
  readonly shown: string;
  /** `GITHUB_ACTION`. */
  readonly id: string;
  /** Absolute path; `GITHUB_ACTION_PATH`. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** Set for an action from a server. */
  readonly origin: { readonly repository: string; readonly ref: string } | undefined;
  readonly record: ActionRecord;
  /** Remote actions that the steps of this action use, by step index. */
  readonly children: ReadonlyMap<number, ActionInstance>;
  /** The chain of composite actions from the outermost one to this action. */
  readonly way: readonly string[];
  /** Inputs and environment of the stages; set before the first stage and again before the main stage. */
  given?: StageInput;
}

/** Input of a stage of an action, from the step. */
export interface StageInput {
  readonly inputs: Inputs;
  /** Variables of the enclosing composite steps. */
  readonly env: Readonly<Record<string, string>>;
}

/** Maximum nesting of composite actions, the same as on GitHub Actions; deeper nesting is treated as a cycle. */
const depthLimit = 10;

/** Dependencies of `prepareAction`. */
export interface PrepareTools extends CacheTools {
  /** Absolute path; base of local action paths. */
  readonly workingDir: string;
  /** Called with the commit that an action was resolved to. */
  onFound(shown: string, commit: string): void;
}

/**
 * Resolves an action and all remote actions that it uses, so that missing actions are reported before anything runs.
 * Local actions inside a composite action are resolved later, because an earlier step may create them. Rejects with
 * what is wrong and what to do.
 * @param way the chain of enclosing composite actions
 */
export async function prepareAction(
  tools: PrepareTools,
  text: string,
  id: string,
  way: readonly string[] = [],
): Promise<ActionInstance> {
  const reference = parseActionReference(text);
  if ('fault' in reference) throw new Error(reference.fault);
  const shown = formatReference(reference);
  if (way.length >= depthLimit)
    throw new Error(
      `actions are nested more than ${depthLimit} levels deep, or recursive: ${[...way, shown].join(' → ')}`,
    );
  if (reference.kind === 'image') return imageInstance(reference, shown, id);
  const { folder, origin } = await findFolder(tools, reference, shown);
  const manifest = await readManifest(folder, shown);
  const children = new Map<number, ActionInstance>();
  const steps = manifest.runs.using === 'composite' ? manifest.runs.steps : [];
  for (const [index, { work, id: stepId }] of steps.entries()) {
    if (work.kind !== 'uses' || isLocal(work.uses)) continue;
    const childId = stepId ?? `${id}_${index + 1}`;
    children.set(index, await prepareAction(tools, work.uses, childId, [...way, shown]));
  }
  return { shown, id, folder, manifest, origin, record: new ActionRecord(), children, way: [...way, shown] };
}

/** Whether an action is specified by a path. An invalid name is reported when the action runs. */
export function isLocal(text: string): boolean {
  const reference = parseActionReference(text);
  return 'kind' in reference && reference.kind === 'local';
}

async function findFolder(
  tools: PrepareTools,
  reference: Exclude<ActionReference, { kind: 'image' }>,
  shown: string,
): Promise<Pick<ActionInstance, 'folder' | 'origin'>> {
  if (reference.kind === 'local') {
    const folder = isAbsolute(reference.path) ? reference.path : resolve(tools.workingDir, reference.path);
    return { folder, origin: undefined };
  }
  const { folder, commit } = await findRepository(tools, reference);
  tools.onFound(shown, commit);
  const { owner, name, path, ref } = reference;
  return { folder: join(folder, path), origin: { repository: `${owner}/${name}`, ref } };
}

/** Returns an instance for a plain image, whose inputs are `args` and `entrypoint`. */
function imageInstance(
  { image }: Extract<ActionReference, { kind: 'image' }>,
  shown: string,
  id: string,
): ActionInstance {
  const input = (name: string) => ({
    name,
    description: '',
    required: false,
    default: undefined,
    deprecation: undefined,
  });
  return {
    shown,
    id,
    folder: '',
    origin: undefined,
    record: new ActionRecord(),
    children: new Map(),
    way: [shown],
    manifest: {
      file: shown,
      name: image,
      inputs: [input('args'), input('entrypoint')],
      outputs: [],
      runs: imageRuns(shown),
    },
  };
}

/** Inputs by the name that the action declares. */
export type Inputs = Readonly<Record<string, string>>;

/** An action with inputs, for error messages. */
export interface InputOwner {
  /** The action as the user wrote it. */
  readonly shown: string;
  readonly inputs: readonly InputDefinition[];
}

/**
 * Returns the inputs of an action: the explicit values and the defaults of the others. Names are case-insensitive. An
 * undeclared input is passed on with a warning, as on GitHub Actions. Rejects if a required input is missing.
 */
export async function resolveInputs(
  { shown, inputs }: InputOwner,
  given: Inputs,
  scope: ExpressionScope,
  warn: (message: string) => void,
): Promise<Inputs> {
  const resolved: Record<string, string> = {};
  const remaining = new Map(Object.entries(given));
  for (const input of inputs) {
    const key = [...remaining.keys()].find((name) => name.toLowerCase() === input.name.toLowerCase());
    const value = key === undefined ? undefined : remaining.get(key);
    if (key !== undefined) remaining.delete(key);
    if (value !== undefined && input.deprecation !== undefined)
      warn(`input "${input.name}" of ${shown} is deprecated: ${input.deprecation}`);
    if (value === undefined && input.default === undefined && input.required)
      throw new Error(explainMissing(shown, input, [...remaining.keys()]));
    resolved[input.name] = value ?? (await fillText(input.default ?? '', scope));
  }
  for (const [name, value] of remaining) {
    warn(explainUnknown(shown, name, inputs));
    resolved[name] = value;
  }
  return resolved;
}

/** Returns the environment variables that pass the inputs to a program. */
export const inputVariables = (inputs: Inputs): Record<string, string> =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
      value,
    ]),
  );

function explainMissing(shown: string, { name, description }: InputDefinition, others: string[]): string {
  const near = findNearest(name, others);
  const what = description.trim() === '' ? '' : ` (${description.trim().split('\n')[0]})`;
  const remedy = near === undefined ? 'Add it to "params".' : `Did you mean "${near}" in "params"?`;
  return `action ${shown} requires the input "${name}"${what}. ${remedy}`;
}

function explainUnknown(shown: string, name: string, inputs: readonly InputDefinition[]): string {
  const names = inputs.map((input) => input.name);
  const near = findNearest(name, names);
  const known = names.length === 0 ? 'The action has no inputs.' : `Valid inputs: ${names.join(', ')}.`;
  return `Unknown input "${name}" of ${shown}. ${near === undefined ? known : `Did you mean "${near}"?`}`;
}
