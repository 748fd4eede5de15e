import { useMemo, useState } from 'react';
import type { Analysis } from '../../../../core/edit/analysis.ts';
import type { OutlineDocument } from '../../../../core/edit/outline.ts';
import type { Workflow } from '../../../../core/model/workflow/workflow.ts';
import { useSessionView } from '../../session/use-session.ts';
import {
  buildCanvasGraph,
  type BuiltGraph,
  type CanvasGraph,
  type CanvasGraphInputs,
} from './canvas-graph.ts';

/** The drawn workflow, and the document that it comes from. */
export interface DrawnWorkflow {
  readonly graph: CanvasGraph;
  readonly document: OutlineDocument;
  /** The current text is not valid YAML: this is the last valid version. */
  readonly isBehind: boolean;
}

/**
 * Returns the last valid version of a workflow of the file; undefined before there is one.
 * @param index index of its document; the main workflow when undefined
 */
export function useCanvasGraph(index: number | undefined): DrawnWorkflow | undefined {
  const analysis = useSessionView((view) => view.analysis);
  const valid = useSessionView((view) => view.validAnalysis);
  const readable = useSessionView((view) => view.outlined);
  const document = readable && pickDocument(readable, index);
  const workflow = valid && document && pickWorkflow(valid, document);
  const graph = useBuiltGraph(readable && document && { document, workflow, analysis: readable });
  return useMemo(
    () => graph && document && { graph, document, isBehind: readable !== analysis },
    [graph, document, readable, analysis],
  );
}

const nothing: OutlineDocument = {
  ...{ index: 0, from: 0, to: 0, type: 'chain', stepsForm: 'none' },
  ...{ steps: [], handlers: [] },
};

const pickDocument = ({ outline }: Analysis, index: number | undefined): OutlineDocument =>
  outline.documents.find((one) => index === undefined || one.index === index) ??
  outline.documents[0] ??
  nothing;

function pickWorkflow(
  { workflows, outline }: Analysis,
  { index, name }: OutlineDocument,
): Workflow | undefined {
  const documentIndex = outline.documents.findIndex((one) => one.index === index);
  return documentIndex <= 0
    ? workflows[0]
    : (workflows.find((one) => one.name === name) ?? workflows[documentIndex]);
}

/** Keeps the previous graph while there is nothing to build one from. */
function useBuiltGraph(sources: CanvasGraphInputs | undefined): CanvasGraph | undefined {
  const [built, setBuilt] = useState<BuiltGraph>();
  const isBuilt =
    built?.document === sources?.document &&
    built?.workflow === sources?.workflow &&
    built?.analysis === sources?.analysis;
  if (!sources || isBuilt) return built?.graph;
  const graph = buildCanvasGraph(sources, built);
  // State from the previous render, set during render as React documents for derived state.
  setBuilt({ ...sources, graph });
  return graph;
}
