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
  /** As the person or the composite action named it. */
  readonly shown: string;
  /** `GITHUB_ACTION`. */
  readonly id: string;
  /** Absolute; `GITHUB_ACTION_PATH`. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** Of an action from a server. */
  readonly origin: { readonly repository: string; readonly ref: string } | undefined;
  readonly record: ActionRecord;
  /** Actions from a server that its own steps use, by the number of the step. */
  readonly children: ReadonlyMap<number, ActionInstance>;
  /** It and the composite actions that lead to it, the first one first. */
  readonly way: readonly string[];
  /** What its stages get; set when the first one begins, and again for the main one. */
  given?: StageGift;
}

/** What a stage of an action gets from outside. */
export interface StageGift {
  readonly inputs: Inputs;
  /** Variables of the composite steps around it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Composite actions that use composite actions: more are taken for a circle (as the hosted service does). */
const depthLimit = 10;

/** What preparing takes. */
export interface PrepareTools extends CacheTools {
  /** Absolute: where local paths count from. */
  readonly workingDir: string;
  /** Told which commit an action has been found at. */
  onFound(shown: string, commit: string): void;
}

/**
 * Finds an action and everything from a server that it uses, so that what cannot be had is known before anything runs.
 * Actions of a local path inside a composite action are left for later: an earlier step may make them.
 * @param way the composite actions that lead here. Rejects with what is wrong and what to do
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

/** Whether an action is named by a path; a fault of the name is found when it is its turn. */
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

/** An image by itself: its inputs are `args` and `entrypoint`. */
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
