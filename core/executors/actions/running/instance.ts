import { isAbsolute, join, resolve } from 'node:path';
import {
  describeReference,
  parseActionReference,
  type ActionReference,
} from '../../../model/executors/action-reference.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { imageRuns } from '../manifest/read-runs.ts';
import { ActionRecord } from '../messages/action-record.ts';
import type { Inputs } from './inputs.ts';
import { findRepository, type CacheTools } from '../repository/action-cache.ts';

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
  const shown = describeReference(reference);
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
