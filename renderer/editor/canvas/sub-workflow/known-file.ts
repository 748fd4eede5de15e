import { fileNamePattern } from '../../../../core/base/ids.ts';
import type { DagDetailView } from '../../../../core/contract/workflows/dags.ts';
import type { Analysis } from '../../../../core/edit/analysis.ts';
import type { OutlineDocument } from '../../../../core/edit/outline.ts';
import type { Workflow } from '../../../../core/model/workflow/workflow.ts';
import { buildGraph, nodeId, type GraphModel } from '../../../graph/build-graph.ts';
import { buildCanvasGraph } from '../model/canvas-graph.ts';

/** What is drawn of a workflow, and which workflows its steps run. */
interface DrawnSteps {
  readonly graph: GraphModel;
  /** By the ids of nodes. */
  readonly runs: ReadonlyMap<string, string>;
}

/** Where a workflow is written. */
export interface WorkflowHome {
  readonly fileName: string;
  /** Of a further workflow of the file: the index of its document. */
  readonly document: number | undefined;
}

/** A workflow that a step may run. */
export interface KnownWorkflow {
  readonly home: WorkflowHome;
  /** No other has it: the file, and the place in it. */
  readonly identity: string;
  /** Undefined when neither the text nor the file says one. */
  readonly name: string | undefined;
  readonly file: KnownFile;
  /** Number of its steps. */
  readonly count: number;
  readonly draw: () => DrawnSteps;
}

/** A workflow file with what it holds; nothing when it has errors. */
export interface KnownFile {
  readonly fileName: string;
  readonly workflows: readonly KnownWorkflow[];
}

const identityOf = (fileName: string, place: number): string => `${fileName}#${place}`;

/** The file that is edited, as far as its text can be read. */
export function knowEdited(fileName: string, analysis: Analysis): KnownFile {
  const workflows: KnownWorkflow[] = [];
  const file: KnownFile = { fileName, workflows };
  analysis.outline.documents.forEach((document, place) =>
    workflows.push({
      identity: identityOf(fileName, place),
      home: { fileName, document: place === 0 ? undefined : document.index },
      name: document.name ?? (place === 0 ? fileName : undefined),
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

/** What the steps of a document run. */
export const listRuns = ({ steps, handlers }: OutlineDocument): ReadonlyMap<string, string> =>
  new Map(
    [...steps, ...handlers]
      .filter(({ kind, detail }) => kind === 'dag' && detail !== '')
      .map(({ section, name, detail }) => [nodeId(section, name), detail]),
  );

/** Another file, as the engine has read it. */
export function knowSaved({ fileName, workflow, localDags }: DagDetailView): KnownFile {
  const workflows: KnownWorkflow[] = [];
  const file: KnownFile = { fileName, workflows };
  (workflow ? [workflow, ...localDags] : []).forEach((one, place) =>
    workflows.push({
      identity: identityOf(fileName, place),
      home: { fileName, document: undefined },
      name: one.name,
      file,
      count: one.steps.length,
      draw: () => ({ graph: buildGraph(one), runs: runsOf(one) }),
    }),
  );
  return file;
}

const runsOf = ({ steps }: Workflow): ReadonlyMap<string, string> =>
  new Map(
    steps.flatMap(({ name, action }) => (action.kind === 'dag' ? [[nodeId('step', name), action.dag]] : [])),
  );

/** The files that are known by their names; `null` for one that there is not. */
export type KnownFiles = ReadonlyMap<string, KnownFile | null>;

/**
 * What a step of a file runs, found as the engine does: in the file first, then by the name of a file.
 * @returns the name of a file that is to be read first; undefined for what only a run can tell, or what lies elsewhere
 */
export function findTarget(
  from: KnownFile,
  files: KnownFiles,
  dag: string,
): KnownWorkflow | 'missing' | 'broken' | { readonly toRead: string } | undefined {
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
