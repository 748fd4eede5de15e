import { useMemo, useState } from 'react';
import type { Analysis } from '../../../../core/edit/analysis.ts';
import type { OutlineDocument } from '../../../../core/edit/outline.ts';
import type { Workflow } from '../../../../core/model/workflow/workflow.ts';
import { useSessionView } from '../../session/use-session.ts';
import { buildCanvasGraph, type BuiltGraph, type CanvasGraph, type Sources } from './canvas-graph.ts';

/** What is drawn, and the part of the file it is drawn from. */
export interface DrawnWorkflow {
  readonly graph: CanvasGraph;
  readonly document: OutlineDocument;
  /** The text is no YAML at the moment: this is how it was before. */
  readonly isBehind: boolean;
}

/**
 * The newest state of a workflow of the file that can be drawn; undefined before there was any.
 * @param index of the document; the main workflow when undefined
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
  const place = outline.documents.findIndex((one) => one.index === index);
  return place <= 0 ? workflows[0] : (workflows.find((one) => one.name === name) ?? workflows[place]);
}

/** The last graph while there is nothing to build one from. */
function useBuiltGraph(sources: Sources | undefined): CanvasGraph | undefined {
  const [built, setBuilt] = useState<BuiltGraph>();
  const isBuilt =
    built?.document === sources?.document &&
    built?.workflow === sources?.workflow &&
    built?.analysis === sources?.analysis;
  if (!sources || isBuilt) return built?.graph;
  const graph = buildCanvasGraph(sources, built);
  // A state of the rendering before, as React has it for what is derived from what came before.
  setBuilt({ ...sources, graph });
  return graph;
}
