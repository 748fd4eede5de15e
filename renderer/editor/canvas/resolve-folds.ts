import { fileNamePattern } from '../../../core/base/ids.ts';
import type { DagDetailView } from '../../../core/contract/dags.ts';
import type { Analysis } from '../../../core/edit/build-outline.ts';
import type { OutlineDocument } from '../../../core/edit/outline.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { pluralize } from '../../../core/base/text.ts';
import { buildGraph, nodeId, type GraphModel } from '../../graph/build-graph.ts';
import type { Direction } from '../../graph/compute-layout.ts';
import { buildCanvasGraph } from './canvas-graph.ts';
import { layOutNestedGraph, type NestedGraph } from './nested-graph.ts';

/** The drawn steps of a workflow, and the workflows that they run. */
interface DrawnSteps {
  readonly graph: GraphModel;
  /** By node id. */
  readonly runs: ReadonlyMap<string, string>;
}

/** Where a workflow is defined. */
interface WorkflowHome {
  readonly fileName: string;
  /** Document index of a further workflow in the file. */
  readonly document: number | undefined;
}

/** A workflow that a step may run. */
interface IndexedWorkflow {
  readonly home: WorkflowHome;
  /** Unique identity: the file and the document in it. */
  readonly identity: string;
  /** Undefined if neither the text nor the file provides a name. */
  readonly name: string | undefined;
  readonly file: IndexedFile;
  /** Number of its steps. */
  readonly count: number;
  readonly draw: () => DrawnSteps;
}

/** The workflows of a file; empty if it has errors. */
interface IndexedFile {
  readonly fileName: string;
  readonly workflows: readonly IndexedWorkflow[];
}

const getIdentity = (fileName: string, documentIndex: number): string => `${fileName}#${documentIndex}`;

/** Returns the workflows of the edited file, as far as its text can be parsed. */
export function indexEditedFile(fileName: string, analysis: Analysis): IndexedFile {
  const workflows: IndexedWorkflow[] = [];
  const file: IndexedFile = { fileName, workflows };
  analysis.outline.documents.forEach((document, documentIndex) =>
    workflows.push({
      identity: getIdentity(fileName, documentIndex),
      home: { fileName, document: documentIndex === 0 ? undefined : document.index },
      name: document.name ?? (documentIndex === 0 ? fileName : undefined),
      file,
      count: document.steps.length,
      draw: () => ({
        graph: buildCanvasGraph({ document, workflow: undefined, analysis }),
        runs: listRuns(document),
      }),
    }),
  );
  return file;
}

/** Lists the workflows that the steps of a document run. */
export const listRuns = ({ steps, handlers }: OutlineDocument): ReadonlyMap<string, string> =>
  new Map(
    [...steps, ...handlers]
      .filter(({ kind, detail }) => kind === 'dag' && detail !== '')
      .map(({ section, name, detail }) => [nodeId(section, name), detail]),
  );

/** Returns the workflows of another file, as parsed by the engine. */
export function indexSavedFile({ fileName, workflow, localDags }: DagDetailView): IndexedFile {
  const workflows: IndexedWorkflow[] = [];
  const file: IndexedFile = { fileName, workflows };
  (workflow ? [workflow, ...localDags] : []).forEach((one, documentIndex) =>
    workflows.push({
      identity: getIdentity(fileName, documentIndex),
      home: { fileName, document: undefined },
      name: one.name,
      file,
      count: one.steps.length,
      draw: () => ({ graph: buildGraph(one), runs: getRuns(one) }),
    }),
  );
  return file;
}

const getRuns = ({ steps }: Workflow): ReadonlyMap<string, string> =>
  new Map(
    steps.flatMap(({ name, action }) => (action.kind === 'dag' ? [[nodeId('step', name), action.dag]] : [])),
  );

/** Known files by name; `null` for a file that does not exist. */
export type FileIndex = ReadonlyMap<string, IndexedFile | null>;

/**
 * Finds the workflow that a step of a file runs, by the rules of the engine: first in the same file, then by file name.
 * @returns the name of a file that must be loaded first; undefined for targets known only at run time or
 * outside the workflow folder
 */
function findTarget(
  from: IndexedFile,
  files: FileIndex,
  dag: string,
): IndexedWorkflow | 'missing' | 'broken' | { readonly toRead: string } | undefined {
  const name = dag.trim();
  const inside = from.workflows.find((workflow) => workflow.name === name);
  if (inside) return inside;
  const fileName = name.replace(/\.ya?ml$/, '');
  if (!isFileName.test(fileName)) return undefined;
  const file = files.get(fileName);
  if (file === undefined) return { toRead: fileName };
  if (file === null) return 'missing';
  return file.workflows[0] ?? 'broken';
}

const isFileName = new RegExp(fileNamePattern);

/** How a step that runs a sub-workflow is drawn. */
export interface Fold {
  /** Step names from the outermost step on, separated by slashes. */
  readonly path: string;
  /** The target as written in the text. */
  readonly target: string;
  /**
   * `loading`: the other file is being loaded. `recursive`: the workflow is one of its own ancestors. `large`:
   * too large to be drawn in place.
   */
  readonly state: 'folded' | 'open' | 'loading' | 'recursive' | 'missing' | 'broken' | 'large';
  /** Number of steps of the workflow, if known. */
  readonly count: number | undefined;
  /** Where it is defined, if known. */
  readonly home?: WorkflowHome;
  /** The drawing while it is expanded. */
  readonly inner?: NestedGraph;
}

/** Larger sub-workflows are not drawn inside another graph. */
const maxSteps = 200;

interface Request {
  readonly files: FileIndex;
  readonly open: ReadonlySet<string>;
  readonly direction: Direction;
  /** Collects the names of files to load. */
  readonly toRead: Set<string>;
}

interface ExpansionContext {
  readonly file: IndexedFile;
  /** Identities of the enclosing workflows. */
  readonly chain: readonly string[];
  /** Prefix of the step paths. */
  readonly prefix: string;
}

/**
 * Resolves how steps that run workflows are drawn, including steps inside expanded ones. A workflow is never
 * drawn inside itself, so the recursion ends.
 * @param runs targets by node id
 */
export function resolveFolds(
  runs: ReadonlyMap<string, string>,
  context: ExpansionContext,
  request: Request,
): ReadonlyMap<string, Fold> {
  const folds = new Map<string, Fold>();
  for (const [id, target] of runs) {
    if (!id.startsWith(stepPrefix)) continue;
    const path = context.prefix + id.slice(stepPrefix.length);
    const found = findTarget(context.file, request.files, target);
    if (found === undefined) continue;
    if (typeof found === 'object' && 'toRead' in found) {
      request.toRead.add(found.toRead);
      folds.set(id, { path, target, state: 'loading', count: undefined });
    } else if (typeof found === 'string') folds.set(id, { path, target, state: found, count: undefined });
    else folds.set(id, resolveFold({ path, target }, found, context, request));
  }
  return folds;
}

const stepPrefix = 'step:';

function resolveFold(
  step: Pick<Fold, 'path' | 'target'>,
  found: IndexedWorkflow,
  { chain }: ExpansionContext,
  request: Request,
): Fold {
  const { identity, count, file, home } = found;
  const named = { ...step, home };
  if (chain.includes(identity)) return { ...named, count, state: 'recursive' };
  if (count > maxSteps) return { ...named, count, state: 'large' };
  if (!request.open.has(named.path)) return { ...named, count, state: 'folded' };
  const { graph, runs } = found.draw();
  const around = { file, chain: [...chain, identity], prefix: `${named.path}/` };
  const inner = layOutNestedGraph(graph, resolveFolds(runs, around, request), request.direction);
  return { ...named, count, state: 'open', inner };
}

/** Returns the label of a fold button; undefined while there is nothing to show. */
export function foldLabel({ state, count = 0 }: Fold): string | undefined {
  if (state === 'loading') return undefined;
  if (state === 'recursive') return 'calls itself';
  if (state === 'missing') return 'not found';
  if (state === 'broken') return 'has errors';
  return pluralize(count, 'step');
}

/** Returns why a fold cannot be expanded and what to do; undefined when it can. */
export function foldBlocker({ state, target, count }: Fold): string | undefined {
  switch (state) {
    case 'folded':
    case 'open':
      return undefined;
    case 'loading':
      return `${target} is loading.`;
    case 'recursive':
      return `${target} calls itself and cannot be expanded.`;
    case 'missing':
      return `Workflow ${target} not found. Create it, or choose another workflow.`;
    case 'broken':
      return `${target} has errors. Open it and fix them.`;
    case 'large':
      return `${target} has ${count} steps, too many to show here. Open it instead.`;
  }
}

/** Returns the folds, reusing previous objects for unchanged ones. */
export function reuseFolds(
  before: ReadonlyMap<string, Fold>,
  folds: ReadonlyMap<string, Fold>,
): ReadonlyMap<string, Fold> {
  let isSame = before.size === folds.size;
  const next = new Map<string, Fold>();
  for (const [id, fold] of folds) {
    const old = before.get(id);
    const stableFold = old && JSON.stringify(old) === JSON.stringify(fold) ? old : fold;
    isSame &&= stableFold === old;
    next.set(id, stableFold);
  }
  return isSame ? before : next;
}
