import { analyze } from '../../../../core/edit/analyze.ts';
import { buildCanvasGraph, type CanvasGraph } from '../../../../renderer/editor/canvas/model/canvas-graph.ts';

/** What the canvas draws of a text. */
export function drawText(text: string): CanvasGraph {
  const analysis = analyze(text, 'etl.yaml');
  return buildCanvasGraph({
    analysis,
    document: analysis.outline.documents[0]!,
    workflow: analysis.workflows[0],
  });
}

/** A graph of steps, each with what it waits for. */
export const drawSteps = (steps: Readonly<Record<string, readonly string[]>>): CanvasGraph =>
  drawText(
    `type: graph\nsteps:\n${Object.entries(steps)
      .map(
        ([name, depends]) => `  - name: ${name}\n    command: echo\n    depends: [${depends.join(', ')}]\n`,
      )
      .join('')}`,
  );
