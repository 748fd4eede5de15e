import type { OutlineStep } from '../../../../core/edit/outline.ts';
import { findSpecs } from './find-specs.ts';
import type { BuiltGraph, CanvasNode, StepInfo } from './canvas-graph.ts';

const isSameList = (left: readonly string[], right: readonly string[]): boolean =>
  left === right || (left.length === right.length && left.every((one, index) => one === right[index]));

const isSame = (left: CanvasNode, right: CanvasNode): boolean =>
  left.kind === right.kind &&
  left.detail === right.detail &&
  left.ordinal === right.ordinal &&
  left.group === right.group &&
  left.ref.document === right.ref.document &&
  isSameList(left.depends, right.depends) &&
  left.severity === right.severity &&
  isSameList(left.problems, right.problems) &&
  isSameList(left.traits, right.traits);

/** Whether two steps differ only in their position in the text. Lists and details are compared by identity. */
const isOnlyMoved = (before: OutlineStep, now: OutlineStep): boolean =>
  before === now ||
  (before.name === now.name &&
    before.kind === now.kind &&
    before.detail === now.detail &&
    before.depends === now.depends &&
    before.facts === now.facts &&
    before.group === now.group &&
    before.document === now.document);

/** Reusable nodes of an earlier graph. */
export interface ReusableNodes {
  /** Returns the node of a step or handler about which nothing has changed, without building it. */
  readonly unchanged: (step: OutlineStep, index: number, known: StepInfo) => CanvasNode | undefined;
  /** Returns an existing node that looks the same. */
  readonly alike: (node: CanvasNode) => CanvasNode | undefined;
}

export function reuseNodes({ document, graph, ...sources }: BuiltGraph): ReusableNodes {
  const earlier = findSpecs(sources);
  return {
    unchanged(step, index, { spec, isNewest, diagnostics }) {
      if (step.section !== 'step' || diagnostics.length > 0 || isNewest !== earlier.isNewest)
        return undefined;
      const [before, node] = [document.steps[index], graph.steps[index]];
      const isKnown =
        node?.name === step.name &&
        node.problems.length === 0 &&
        before !== undefined &&
        isOnlyMoved(before, step) &&
        earlier.specOf(before, index) === spec;
      return isKnown ? node : undefined;
    },
    alike(node) {
      const before = graph.byId.get(node.id);
      return before && isSame(before, node) ? before : undefined;
    },
  };
}

/** Whether the dependencies are the same as in another graph, so that the lines can be reused. */
export const hasSameDependencies = (before: readonly CanvasNode[], now: readonly CanvasNode[]): boolean =>
  before.length === now.length &&
  now.every((node, index) => {
    const other = before[index]!;
    return node === other || (node.id === other.id && isSameList(node.depends, other.depends));
  });
