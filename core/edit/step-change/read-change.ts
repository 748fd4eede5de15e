import { isEqual } from '../../base/is-equal.ts';
import type { Step } from '../../model/workflow/step.ts';
import { MAX_TOKENS, MAX_VALUES } from '../../spec/limits.ts';
import type { Analysis } from '../analysis.ts';
import type { OutlineStep } from '../outline.ts';
import { findStepLines } from '../yaml/reparse/step-lines.ts';
import { findChangedItem, type TextWithSteps } from './find-changed-item.ts';
import { readAlone, withoutSteps, type AloneStep } from './read-alone.ts';

/** What was found in a text without errors. */
export type Known = Pick<Analysis, 'workflows' | 'outline'>;

/** What an analysis differs in after an edit within one step of which the others see nothing. */
export interface StepChange extends Pick<AloneStep, 'workflow' | 'workflows' | 'documents'> {
  /** Of the step in its workflow. */
  readonly place: number;
  readonly step: Step;
  readonly outline: OutlineStep;
  /** How many characters further on everything behind it stands. */
  readonly by: number;
}

/** A text with the lines of its steps; undefined for one whose steps cannot be told by their lines. */
export function divideText(text: string): TextWithSteps | undefined {
  // So short a text has few enough tokens, however it is divided.
  const lines = text.length > MAX_TOKENS ? undefined : findStepLines(text);
  return lines && { text, lines };
}

/** Of texts as they were read last: the next edit is mostly one of the same step. */
const readings = new WeakMap<
  TextWithSteps,
  { readonly item: number; readonly alone: AloneStep | undefined }
>();

function readKept(source: TextWithSteps, item: number, file: string): AloneStep | undefined {
  const kept = readings.get(source);
  if (kept?.item === item) return kept.alone;
  const alone = readAlone(source, item, file);
  readings.set(source, { item, alone });
  return alone;
}

/**
 * Looks at a text of which another state is known, where the two differ within one step and the others see nothing of
 * it: its name, id and dependencies are written as they were, and nothing else is to be said of it. That step is read alone in
 * both states. Where the former reading is not what is known of it, it has to do with others in some other way.
 * @param file the name of the file, which a workflow without a name is called by
 * @returns undefined where all has to be looked at
 */
export function readChange(
  before: TextWithSteps,
  known: Known,
  now: TextWithSteps,
  file: string,
): StepChange | undefined {
  const changed = findChangedItem(before, now);
  if (changed === undefined) return undefined;
  const { item, by } = changed;
  const old = readKept(before, item, file);
  const next = old && readKept(now, item, file);
  if (next === undefined || !isUnseen(old!, next, now.text)) return undefined;
  const own = findKnown(known, old!, before.lines.starts[item]!);
  if (own === undefined || !isAsKnown(known, own, old!)) return undefined;
  const { workflow, workflows, documents } = next;
  return { workflow, workflows, documents, ...putInPlace(own, next), place: own.place, by };
}

/** Whether nothing but the step itself can tell one reading from the other. */
const isUnseen = (old: AloneStep, next: AloneStep, text: string): boolean =>
  old.ties === next.ties &&
  old.workflow === next.workflow &&
  old.step.name === next.step.name &&
  old.outline.name === next.outline.name &&
  isEqual(old.diagnostics, next.diagnostics) &&
  // A value takes a character at least.
  (next.size <= old.size || text.length <= MAX_VALUES);

interface KnownStep {
  readonly place: number;
  readonly step: Step;
  readonly outline: OutlineStep;
}

/** What is known of the step that begins on or behind a place of the text. */
function findKnown(
  { workflows, outline }: Known,
  { workflow }: AloneStep,
  at: number,
): KnownStep | undefined {
  const steps = outline.documents[workflow]?.steps ?? [];
  const place = steps.findIndex(({ from }) => from >= at);
  const step = workflows[workflow]?.steps[place];
  return step && { place, step, outline: steps[place]! };
}

/** A step that was read alone, as it is among the others. */
const putInPlace = ({ step, outline }: KnownStep, alone: AloneStep): Pick<KnownStep, 'step' | 'outline'> => ({
  step: { ...alone.step, name: step.name, depends: step.depends },
  outline: { ...alone.outline, name: outline.name, path: outline.path, depends: outline.depends },
});

function isAsKnown({ workflows, outline }: Known, own: KnownStep, old: AloneStep): boolean {
  const { step, outline: outlined } = putInPlace(own, old);
  return (
    own.step.name === own.outline.name &&
    isEqual(step, own.step) &&
    isEqual(outlined, own.outline) &&
    isEqual(old.workflows, workflows.map(withoutSteps)) &&
    isEqual(old.documents, outline.documents.map(withoutSteps))
  );
}
