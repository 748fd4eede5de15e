import { useMemo, useState } from 'react';
import type { Analysis } from '../../../../core/edit/analysis.ts';
import type { OutlineDocument } from '../../../../core/edit/outline.ts';
import type { Workflow } from '../../../../core/model/workflow.ts';
import { useSessionView } from '../../session/use-session.ts';
import { buildCanvasGraph, type CanvasGraph } from './canvas-graph.ts';
import { reuseNodes } from './reuse-nodes.ts';

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
  const built = useMemo(
    () => readable && document && buildCanvasGraph({ document, workflow, analysis: readable }),
    [readable, document, workflow],
  );
  const graph = useStable(built);
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

function useStable(graph: CanvasGraph | undefined): CanvasGraph | undefined {
  const [kept, setKept] = useState<{ readonly from: CanvasGraph; readonly graph: CanvasGraph }>();
  if (!graph) return kept?.graph;
  if (kept?.from === graph) return kept.graph;
  const next = reuseNodes(kept?.graph, graph);
  setKept({ from: graph, graph: next });
  return next;
}
