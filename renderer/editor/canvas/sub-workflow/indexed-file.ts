import { fileNamePattern } from '../../../../core/base/ids.ts';
import type { DagDetailView } from '../../../../core/contract/workflows/dags.ts';
import type { Analysis } from '../../../../core/edit/analysis.ts';
import type { OutlineDocument } from '../../../../core/edit/outline.ts';
import type { Workflow } from '../../../../core/model/workflow/workflow.ts';
import { buildGraph, nodeId, type GraphModel } from '../../../graph/build-graph.ts';
import { buildCanvasGraph } from '../model/canvas-graph.ts';

/** The drawn steps of a workflow, and the workflows that they run. */
interface DrawnSteps {
  readonly graph: GraphModel;
  /** By node id. */
  readonly runs: ReadonlyMap<string, string>;
}

/** Where a workflow is defined. */
export interface WorkflowHome {
  readonly fileName: string;
  /** Document index of a further workflow in the file. */
  readonly document: number | undefined;
}

/** A workflow that a step may run. */
export interface IndexedWorkflow {
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
export interface IndexedFile {
  readonly fileName: string;
  readonly workflows: readonly IndexedWorkflow[];
}

const identityOf = (fileName: string, documentIndex: number): string => `${fileName}#${documentIndex}`;

/** Returns the workflows of the edited file, as far as its text can be parsed. */
export function indexEditedFile(fileName: string, analysis: Analysis): IndexedFile {
  const workflows: IndexedWorkflow[] = [];
  const file: IndexedFile = { fileName, workflows };
  analysis.outline.documents.forEach((document, documentIndex) =>
    workflows.push({
      identity: identityOf(fileName, documentIndex),
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
      identity: identityOf(fileName, documentIndex),
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

/** Known files by name; `null` for a file that does not exist. */
export type FileIndex = ReadonlyMap<string, IndexedFile | null>;

/**
 * Finds the workflow that a step of a file runs, by the rules of the engine: first in the same file, then by file name.
 * @returns the name of a file that must be loaded first; undefined for targets known only at run time or
 * outside the workflow folder
 */
export function findTarget(
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
