import { isEqual } from '../../base/is-equal.ts';
import type { Step } from '../../model/workflow/step.ts';
import { MAX_TOKENS, MAX_VALUES } from '../../spec/limits.ts';
import type { Analysis } from '../analysis.ts';
import type { OutlineStep } from '../outline.ts';
import { findStepLines } from '../yaml/reparse/step-lines.ts';
import { findChangedItem, type TextWithSteps } from './find-changed-item.ts';
import { readStandalone, withoutSteps, type StandaloneStep } from './read-standalone.ts';

/** The analysis of a text without errors. */
export type ParsedText = Pick<Analysis, 'workflows' | 'outline'>;

/** The difference of an analysis after an edit of one step that does not affect the others. */
export interface StepChange extends Pick<StandaloneStep, 'workflow' | 'workflows' | 'documents'> {
  /** Index of the step in its workflow. */
  readonly position: number;
  readonly step: Step;
  readonly outline: OutlineStep;
  /** Offset by which everything after the step is shifted. */
  readonly by: number;
}

/** Returns a text with the lines of its steps; undefined if the steps cannot be found by lines. */
export function locateSteps(text: string): TextWithSteps | undefined {
  // A text this short has few enough tokens, however it is divided.
  const lines = text.length > MAX_TOKENS ? undefined : findStepLines(text);
  return lines && { text, lines };
}

/** Cached readings of the last texts: the next edit is usually in the same step. */
const readings = new WeakMap<
  TextWithSteps,
  { readonly item: number; readonly standalone: StandaloneStep | undefined }
>();

function readCached(source: TextWithSteps, item: number, file: string): StandaloneStep | undefined {
  const cached = readings.get(source);
  if (cached?.item === item) return cached.standalone;
  const standalone = readStandalone(source, item, file);
  readings.set(source, { item, standalone });
  return standalone;
}

/**
 * Analyzes a text incrementally if it differs from a known version in one step only and the others are not affected:
 * its name, id and dependencies are unchanged, and it has no new diagnostics. The step is read alone in both versions.
 * If the reading of the old version differs from the known analysis, the step depends on others in some other way.
 * @param file name of the file, which is the default name of its workflow
 * @returns undefined if the whole text must be analyzed
 */
export function readChange(
  before: TextWithSteps,
  known: ParsedText,
  now: TextWithSteps,
  file: string,
): StepChange | undefined {
  const changed = findChangedItem(before, now);
  if (changed === undefined) return undefined;
  const { item, by } = changed;
  const old = readCached(before, item, file);
  const next = old && readCached(now, item, file);
  if (next === undefined || !isOnlyStepChanged(old!, next, now.text)) return undefined;
  const knownStep = findKnownStep(known, old!, before.lines.starts[item]!);
  if (knownStep === undefined || !matchesKnown(known, knownStep, old!)) return undefined;
  const { workflow, workflows, documents } = next;
  return {
    workflow,
    workflows,
    documents,
    ...withPositionOf(knownStep, next),
    position: knownStep.position,
    by,
  };
}

/** Whether the two readings differ only in the step itself. */
const isOnlyStepChanged = (old: StandaloneStep, next: StandaloneStep, text: string): boolean =>
  old.ties === next.ties &&
  old.workflow === next.workflow &&
  old.step.name === next.step.name &&
  old.outline.name === next.outline.name &&
  isEqual(old.diagnostics, next.diagnostics) &&
  // Each value takes at least one character.
  (next.size <= old.size || text.length <= MAX_VALUES);

interface ParsedStep {
  readonly position: number;
  readonly step: Step;
  readonly outline: OutlineStep;
}

/** Finds the known step that starts at or after an offset. */
function findKnownStep(
  { workflows, outline }: ParsedText,
  { workflow }: StandaloneStep,
  at: number,
): ParsedStep | undefined {
  const steps = outline.documents[workflow]?.steps ?? [];
  const position = steps.findIndex(({ from }) => from >= at);
  const step = workflows[workflow]?.steps[position];
  return step && { position, step, outline: steps[position]! };
}

/** Returns a step that was read alone as it is among the others. */
const withPositionOf = (
  { step, outline }: ParsedStep,
  standalone: StandaloneStep,
): Pick<ParsedStep, 'step' | 'outline'> => ({
  step: { ...standalone.step, name: step.name, depends: step.depends },
  outline: { ...standalone.outline, name: outline.name, path: outline.path, depends: outline.depends },
});

function matchesKnown(
  { workflows, outline }: ParsedText,
  knownStep: ParsedStep,
  old: StandaloneStep,
): boolean {
  const { step, outline: outlined } = withPositionOf(knownStep, old);
  return (
    knownStep.step.name === knownStep.outline.name &&
    isEqual(step, knownStep.step) &&
    isEqual(outlined, knownStep.outline) &&
    isEqual(old.workflows, workflows.map(withoutSteps)) &&
    isEqual(old.documents, outline.documents.map(withoutSteps))
  );
}
