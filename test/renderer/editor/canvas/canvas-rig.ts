import {
  buildCanvasGraph,
  type BuiltGraph,
  type CanvasGraph,
} from '../../../../renderer/editor/canvas/canvas-graph.ts';
import { analyze } from '../../../rig/analyze.ts';

/** The rendered canvas of a text. */
export const drawText = (text: string): CanvasGraph => buildText(text).graph;

/** The same with its model. @param before an earlier state of the text */
export function buildText(text: string, before?: BuiltGraph): BuiltGraph {
  const analysis = analyze(text, 'etl.yaml');
  const sources = {
    analysis,
    document: analysis.outline.documents[0]!,
    workflow: analysis.workflows[0],
  };
  return { ...sources, graph: buildCanvasGraph(sources, before) };
}

/** A graph of steps, each with its dependencies. */
export const drawSteps = (steps: Readonly<Record<string, readonly string[]>>): CanvasGraph =>
  drawText(
    `type: graph\nsteps:\n${Object.entries(steps)
      .map(
        ([name, depends]) => `  - name: ${name}\n    command: echo\n    depends: [${depends.join(', ')}]\n`,
      )
      .join('')}`,
  );
