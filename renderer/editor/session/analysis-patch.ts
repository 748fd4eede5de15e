import { isEqual } from '../../../core/base/json.ts';
import type { Analysis } from '../../../core/edit/build-outline.ts';
import type { StepChange } from '../../../core/edit/step-change.ts';
import type { AuthoredPath, OutlineDocument, OutlineStep } from '../../../core/edit/outline.ts';
import type { Step } from '../../../core/model/step.ts';
import type { Workflow } from '../../../core/model/workflow.ts';

/** Describes list items whose only change is their position in the text. */
interface ItemShift<Item, Shift> {
  /** Returns how far the second has moved from the first, if they are the same item. */
  readonly getShift: (before: Item, now: Item) => Shift;
  /** Returns the shifted item, or the item itself for no shift. */
  readonly move: (item: Item, shift: Shift) => Item;
}

/** A list as a difference from the previous one; an edit leaves most of its beginning and end unchanged. */
interface ListPatch<Item, Shift> {
  /** Number of unchanged items at the beginning. */
  readonly head: number;
  readonly middle: readonly Item[];
  /** Number of items at the end that only moved. */
  readonly tail: number;
  readonly shift: Shift | undefined;
}

function diffList<Item, Shift>(
  before: readonly Item[],
  now: readonly Item[],
  { getShift, move }: ItemShift<Item, Shift>,
): ListPatch<Item, Shift> {
  const shorter = Math.min(before.length, now.length);
  let head = 0;
  while (head < shorter && isEqual(before[head], now[head])) head += 1;
  if (head === shorter) return { head, middle: now.slice(head), tail: 0, shift: undefined };
  const shift = getShift(before.at(-1)!, now.at(-1)!);
  let tail = 0;
  while (tail < shorter - head && isEqual(move(before.at(-1 - tail)!, shift), now.at(-1 - tail))) tail += 1;
  return { head, middle: now.slice(head, now.length - tail), tail, shift };
}

/** Builds the patch of a list in which one item has changed and the items after it have moved. */
const replaceItem = <Item, Shift>(
  length: number,
  position: number,
  item: Item,
  shift: Shift,
): ListPatch<Item, Shift> => ({ head: position, middle: [item], tail: length - position - 1, shift });

const unchangedPatch = (length: number): ListPatch<never, never> => ({
  ...{ head: length, middle: [], tail: 0, shift: undefined },
});

const shiftAll = <Shift>(length: number, shift: Shift): ListPatch<never, Shift> => ({
  ...{ head: 0, middle: [], tail: length, shift },
});

/** Applies a patch; items that did not move keep their object identity. */
function patchList<Item, Shift>(
  before: readonly Item[],
  { head, middle, tail, shift }: ListPatch<Item, Shift>,
  { move }: ItemShift<Item, Shift>,
): Item[] {
  const end = before.slice(before.length - tail);
  return [
    ...before.slice(0, head),
    ...middle,
    ...(shift === undefined ? end : end.map((item) => move(item, shift))),
  ];
}

/** An analysis without its text. */
export type AnalysisResult = Omit<Analysis, 'text'>;

interface OutlineShift {
  /** Offset in characters of the text. */
  readonly by: number;
  /** Offset in indexes of the list of steps. */
  readonly items: number;
}

/** An analysis as a difference from one that both sides have; with 2,000 steps that is mostly one step. */
export interface AnalysisPatch {
  readonly workflows: readonly {
    readonly rest: Omit<Workflow, 'steps'>;
    readonly steps: ListPatch<Step, number>;
  }[];
  /** Absent when unchanged. */
  readonly diagnostics?: Analysis['diagnostics'];
  readonly documents: readonly {
    readonly rest: Omit<OutlineDocument, 'steps'>;
    readonly steps: ListPatch<OutlineStep, OutlineShift>;
  }[];
}

/** The initial state of both sides. */
export const emptyAnalysis: AnalysisResult = { workflows: [], diagnostics: [], outline: { documents: [] } };

/** Parsed steps store their line. */
const movingSteps: ItemShift<Step, number> = {
  getShift: (before, now) => now.at.line - before.at.line,
  move: (step, lines) => (lines === 0 ? step : { ...step, at: { ...step.at, line: step.at.line + lines } }),
};

const movingOutline: ItemShift<OutlineStep, OutlineShift> = {
  getShift: (before, now) => ({
    by: now.from - before.from,
    items: getItem(now.path) - getItem(before.path),
  }),
  move(step, { by, items }) {
    if (by === 0 && items === 0) return step;
    const { from, to, nameRange, path, group } = step;
    return {
      ...step,
      from: from + by,
      to: to + by,
      path: items === 0 ? path : path.map((key, position) => (position === 1 ? getItem(path) + items : key)),
      ...(nameRange && { nameRange: { from: nameRange.from + by, to: nameRange.to + by } }),
      ...(group !== undefined && { group: group + items }),
    };
  },
};

/** Returns the index in the list of steps; 0 for a step in a map. */
const getItem = ([, position]: AuthoredPath): number => (typeof position === 'number' ? position : 0);

/** @param known state of the receiving side: see {@link mergeAnalysis} */
export function diffAnalysis(known: AnalysisResult, now: AnalysisResult): AnalysisPatch {
  return {
    workflows: now.workflows.map(({ steps, ...rest }, index) => ({
      rest,
      steps: diffList(known.workflows[index]?.steps ?? [], steps, movingSteps),
    })),
    ...(!isEqual(known.diagnostics, now.diagnostics) && { diagnostics: now.diagnostics }),
    documents: now.outline.documents.map(({ steps, ...rest }, index) => ({
      rest,
      steps: diffList(known.outline.documents[index]?.steps ?? [], steps, movingOutline),
    })),
  };
}

/**
 * Builds the patch of an edit within one step, when everything else is unchanged.
 * @param known the previous analysis
 */
export function createStepPatch(known: AnalysisResult, change: StepChange): AnalysisPatch {
  const { workflow, position, by } = change;
  const moved = { by, items: 0 };
  return {
    workflows: change.workflows.map((rest, index) => {
      const { length } = known.workflows[index]!.steps;
      return {
        rest,
        steps: index === workflow ? replaceItem(length, position, change.step, 0) : unchangedPatch(length),
      };
    }),
    documents: change.documents.map((rest, index) => {
      const { length } = known.outline.documents[index]!.steps;
      if (index === workflow) return { rest, steps: replaceItem(length, position, change.outline, moved) };
      return { rest, steps: index < workflow ? unchangedPatch(length) : shiftAll(length, moved) };
    }),
  };
}

/** Applies a patch; steps that did not move keep their object identity. */
export function patchAnalysis(
  known: AnalysisResult,
  { workflows, diagnostics, documents }: AnalysisPatch,
): AnalysisResult {
  return {
    workflows: workflows.map(({ rest, steps }, index) => ({
      ...rest,
      steps: patchList(known.workflows[index]?.steps ?? [], steps, movingSteps),
    })),
    diagnostics: diagnostics ?? known.diagnostics,
    outline: {
      documents: documents.map(({ rest, steps }, index) => ({
        ...rest,
        steps: patchList(known.outline.documents[index]?.steps ?? [], steps, movingOutline),
      })),
    },
  };
}

/**
 * Returns what both sides have after an analysis; a text with errors keeps the last workflows, which the next
 * valid text will mostly share.
 */
export const mergeAnalysis = (known: AnalysisResult, now: AnalysisResult): AnalysisResult => ({
  workflows: now.workflows.length > 0 ? now.workflows : known.workflows,
  diagnostics: now.diagnostics,
  outline: now.outline.documents.length > 0 ? now.outline : known.outline,
});
