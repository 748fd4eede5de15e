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
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Step } from '../../model/workflow/step.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import { loadSpec } from '../../spec/load.ts';
import type { OutlineDocument, OutlineStep } from '../outline.ts';
import { canonicalName, textOfKey, textOfNode } from '../outline/fields.ts';
import { outlineOf } from '../outline/outline-of.ts';
import type { Collection } from '../yaml/entries/entries.ts';
import { fillFrame } from '../yaml/reparse/fill-frame.ts';
import { readFrame, readItems } from '../yaml/reparse/read-frame.ts';
import { plainValue } from '../yaml/values/plain-value.ts';
import type { TextWithSteps } from './find-changed-item.ts';

/** A step that is read in a document with only itself and the last step, both without dependencies. */
export interface StandaloneStep {
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
export function readStandalone(
  source: TextWithSteps,
  item: number,
  file: string,
): StandaloneStep | undefined {
  const { text, lines } = source;
  const frame = readFrame(text, lines);
  const items = frame && readItems(text, lines, item, item + 1);
  if (frame === undefined || items === undefined) return undefined;
  fillFrame(frame, items);
  const [own = null, last = null] = listSteps(frame.list);
  // A list among the steps is a parallel group.
  const size = isSeq(own) ? undefined : countValues(own);
  if (size === undefined) return undefined;
  const { documents } = frame;
  const outline = outlineOf({ text, documents }).documents;
  const workflow = outline.findIndex(({ index }) => documents[index]!.contents === frame.root);
  const ties = readTies(own, text, documents[outline[workflow]!.index]!);
  for (const one of [own, last]) forgetDependencies(one);
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
export function withoutSteps<Part extends { readonly steps: unknown }>(part: Part): Omit<Part, 'steps'> {
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
    const [ofKey, ofValue] = [countValues(key), countValues(value)];
    if (ofKey === undefined || ofValue === undefined) return undefined;
    sum += ofValue;
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
    textOfKey(key),
    plainValue(document, value),
    value?.range && text.slice(value.range[0], value.range[1]),
  ]);
  return JSON.stringify([fields, pathReference.test(written) ? written : '']);
}

const listTies = (step: Node | null): readonly Pair<unknown, Node | null>[] =>
  isMap<unknown, Node | null>(step)
    ? step.items.filter(({ key }) => tyingFields.has(canonicalName(textOfKey(key), 'step')))
    : [];

/** Empties the dependencies of a step, because the steps they name are not in the document. */
function forgetDependencies(step: Node | null): void {
  for (const pair of listTies(step)) {
    if (canonicalName(textOfKey(pair.key), 'step') !== 'depends' || pair.value === null) continue;
    if (!isSeq(pair.value) && textOfNode(pair.value) === undefined) continue;
    const nobody = new YAMLSeq();
    nobody.range = pair.value.range ?? null;
    pair.value = nobody;
  }
}
