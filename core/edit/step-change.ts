import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isSeq,
  YAMLSeq,
  type Document,
  type Node,
  type Pair,
} from 'yaml';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Step } from '../model/step.ts';
import type { Workflow } from '../model/workflow.ts';
import { loadSpec } from '../spec/load.ts';
import { isEqual } from '../base/json.ts';
import { MAX_VALUES } from '../spec/limits.ts';
import type { OutlineDocument, OutlineStep } from './outline.ts';
import { getKeyText, getNodeText } from './step-fields.ts';
import { buildOutline, type Analysis } from './build-outline.ts';
import type { Collection } from './yaml/entries.ts';
import type { EditableText } from './yaml/editable-text.ts';
import { selectSteps } from './yaml/frame.ts';
import { plainValue } from './yaml/read-value.ts';
import { findSteps, type StepLines } from './yaml/reparse.ts';
import { canonicalName } from '../spec/foreign-fields.ts';

/** A step that is read in a document with only itself and the last step, both without dependencies. */
interface StandaloneStep {
  /** Index of its workflow in the file. */
  readonly workflow: number;
  readonly step: Step;
  readonly outline: OutlineStep;
  /** All diagnostics of this reading. */
  readonly diagnostics: readonly Diagnostic[];
  /** The workflows of the file without their steps. */
  readonly workflows: readonly Omit<Workflow, 'steps'>[];
  readonly documents: readonly Omit<OutlineDocument, 'steps'>[];
  /** Connections of the step to others, as written: its name, id, output and dependencies. */
  readonly ties: string;
  /** Number of values in the step. */
  readonly size: number;
}

/**
 * Reads one step in its document without the other steps.
 * @param item index among the items of the list or map of steps; not the last one
 * @returns undefined if there is an error, the item is not a single step, or anchors connect it to other steps
 */
function readStandalone(editable: EditableText, item: number, file: string): StandaloneStep | undefined {
  const steps = findSteps(editable)!;
  const selected = selectSteps(editable.documents, steps, [item, steps.list.items.length - 1]);
  const { documents, root, list } = selected;
  const [stepNode = null, last = null] = listSteps(list);
  // A list among the steps is a parallel group.
  const size = isSeq(stepNode) ? undefined : countValues(stepNode);
  if (size === undefined) return undefined;
  const { text } = editable;
  const outline = buildOutline({ text, documents }).documents;
  const workflow = outline.findIndex(({ index }) => documents[index]!.contents === root);
  const ties = readTies(stepNode, text, documents[outline[workflow]!.index]!);
  for (const one of [stepNode, last]) forgetDependencies(one);
  const loaded = loadSpec({ text, file, documents });
  const step = loaded.workflows[workflow]?.steps[0];
  const outlined = outline[workflow]?.steps[0];
  if (step === undefined || outlined === undefined) return undefined;
  return {
    ...{ workflow, step, outline: outlined, ties, size },
    diagnostics: loaded.diagnostics,
    workflows: loaded.workflows.map(withoutSteps),
    documents: outline.map(withoutSteps),
  };
}

/** Returns a workflow without its steps. */
function withoutSteps<Part extends { readonly steps: unknown }>(part: Part): Omit<Part, 'steps'> {
  const { steps: _, ...rest } = part;
  return rest;
}

const listSteps = (list: Collection): readonly (Node | null)[] =>
  isMap<unknown, Node | null>(list) ? list.items.map(({ value }) => value) : (list.items as (Node | null)[]);

/** Returns the number of values in a step; undefined if anchors or aliases connect it to other steps. */
function countValues(node: unknown): number | undefined {
  if (isAlias(node) || (isNode(node) && node.anchor !== undefined)) return undefined;
  if (!isCollection(node)) return 1;
  let sum: number | undefined = 1;
  for (const item of node.items) {
    const { key, value } = isPair(item) ? item : { key: undefined, value: item };
    const [keyCount, valueCount] = [countValues(key), countValues(value)];
    if (keyCount === undefined || valueCount === undefined) return undefined;
    sum += valueCount;
  }
  return sum;
}

const tyingFields: ReadonlySet<string | undefined> = new Set(['name', 'id', 'depends', 'output']);

/** A path into the output of another step, whose warnings depend on the outputs of other steps. */
const pathReference = /\$\{[A-Za-z_][A-Za-z0-9_-]{0,80}[.[]/;

/**
 * Returns the name, id, output and dependencies, both parsed and as written, because a number is identified by its
 * spelling. For a step that refers to outputs of other steps, the whole text is included.
 */
function readTies(step: Node | null, text: string, document: Document.Parsed): string {
  const written = step?.range ? text.slice(step.range[0], step.range[1]) : '';
  const fields = listTies(step).map(({ key, value }) => [
    getKeyText(key),
    plainValue(document, value),
    value?.range && text.slice(value.range[0], value.range[1]),
  ]);
  return JSON.stringify([fields, pathReference.test(written) ? written : '']);
}

const listTies = (step: Node | null): readonly Pair<unknown, Node | null>[] =>
  isMap<unknown, Node | null>(step)
    ? step.items.filter(({ key }) => tyingFields.has(canonicalName(getKeyText(key), 'step')))
    : [];

/** Empties the dependencies of a step, because the steps they name are not in the document. */
function forgetDependencies(step: Node | null): void {
  for (const pair of listTies(step)) {
    if (canonicalName(getKeyText(pair.key), 'step') !== 'depends' || pair.value === null) continue;
    if (!isSeq(pair.value) && getNodeText(pair.value) === undefined) continue;
    const noSteps = new YAMLSeq();
    noSteps.range = pair.value.range ?? null;
    pair.value = noSteps;
  }
}

/** A step whose lines contain all differences between two texts. */
export interface ChangedItem {
  /** Index among the items of the list or map of steps. */
  readonly item: number;
  /** Number of characters by which the text has grown. */
  readonly by: number;
}

/**
 * Finds the only step that differs, if the number of lines is the same, so that the lines of everything else are
 * unchanged. Returns undefined if anything else differs, or for the last step, whose end depends on what follows.
 */
function findChangedItem(before: EditableText, now: EditableText): ChangedItem | undefined {
  const [lines, nowLines] = [findSteps(before)?.lines, findSteps(now)?.lines];
  if (lines === undefined || nowLines === undefined) return undefined;
  const { from, tail } = findDifference(before.text, now.text);
  const isWithinLine = [before.text, now.text].every(
    (text) => !/[\r\n]/.test(text.slice(from, text.length - tail)),
  );
  const { starts } = lines;
  const item = starts.findLastIndex((start) => start <= from);
  const end = starts[item + 1];
  if (!isWithinLine || item < 0 || end === undefined || end > before.text.length) return undefined;
  const by = now.text.length - before.text.length;
  return startsUnchanged(lines, nowLines, { item, by }) ? { item, by } : undefined;
}

function findDifference(before: string, now: string): { readonly from: number; readonly tail: number } {
  const shorter = Math.min(before.length, now.length);
  let from = 0;
  while (from < shorter && before.charCodeAt(from) === now.charCodeAt(from)) from += 1;
  let tail = 0;
  while (
    tail < shorter - from &&
    before.charCodeAt(before.length - 1 - tail) === now.charCodeAt(now.length - 1 - tail)
  )
    tail += 1;
  return { from, tail };
}

/** Whether each step starts where it did before; steps after the changed one are shifted by the growth of the text. */
function startsUnchanged(before: StepLines, now: StepLines, { item, by }: ChangedItem): boolean {
  const isSame = (start: number, index: number): boolean =>
    now.starts[index] === start + (index > item ? by : 0);
  return (
    before.form === now.form &&
    before.column === now.column &&
    before.starts.length === now.starts.length &&
    before.starts.every(isSame)
  );
}

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

/** Cached readings of the last texts: the next edit is usually in the same step. */
const readings = new WeakMap<
  EditableText,
  { readonly item: number; readonly standalone: StandaloneStep | undefined }
>();

function readCached(source: EditableText, item: number, file: string): StandaloneStep | undefined {
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
  before: EditableText,
  known: ParsedText,
  now: EditableText,
  file: string,
): StepChange | undefined {
  const changed = findChangedItem(before, now);
  if (changed === undefined) return undefined;
  const { item, by } = changed;
  const old = readCached(before, item, file);
  const next = old && readCached(now, item, file);
  if (next === undefined || !isOnlyStepChanged(old!, next, now.text)) return undefined;
  const knownStep = findKnownStep(known, old!, findSteps(before)!.lines.starts[item]!);
  if (knownStep === undefined || !matchesKnown(known, knownStep, old!)) return undefined;
  const { workflow, workflows, documents } = next;
  return {
    workflow,
    workflows,
    documents,
    ...keepPosition(knownStep, next),
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
const keepPosition = (
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
  const { step, outline: outlined } = keepPosition(knownStep, old);
  return (
    knownStep.step.name === knownStep.outline.name &&
    isEqual(step, knownStep.step) &&
    isEqual(outlined, knownStep.outline) &&
    isEqual(old.workflows, workflows.map(withoutSteps)) &&
    isEqual(old.documents, outline.documents.map(withoutSteps))
  );
}
