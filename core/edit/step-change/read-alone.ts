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

/** A step as it is read where of all steps there are but this one and the last, each waiting for nobody. */
export interface AloneStep {
  /** Of its workflow among those of the file. */
  readonly workflow: number;
  readonly step: Step;
  readonly outline: OutlineStep;
  /** All that is said of this reading. */
  readonly diagnostics: readonly Diagnostic[];
  /** Of the file, with what is not about steps. */
  readonly workflows: readonly Omit<Workflow, 'steps'>[];
  readonly documents: readonly Omit<OutlineDocument, 'steps'>[];
  /** What others may know the step by, and what it knows of others, as written. */
  readonly ties: string;
  /** How many values it holds. */
  readonly size: number;
}

/**
 * Reads one step in its surroundings without the others.
 * @param item among the items of the list or map of steps; not the last one
 * @returns undefined where there is a mistake, and of what is no single step or has to do with others by anchors
 */
export function readAlone(source: TextWithSteps, item: number, file: string): AloneStep | undefined {
  const { text, lines } = source;
  const frame = readFrame(text, lines);
  const items = frame && readItems(text, lines, item, item + 1);
  if (frame === undefined || items === undefined) return undefined;
  fillFrame(frame, items);
  const [own = null, last = null] = listSteps(frame.list);
  // A list among the steps is a group of them.
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

/** What a workflow has beside its steps. */
export function withoutSteps<Part extends { readonly steps: unknown }>(part: Part): Omit<Part, 'steps'> {
  const { steps: _, ...rest } = part;
  return rest;
}

const listSteps = (list: Collection): readonly (Node | null)[] =>
  isMap<unknown, Node | null>(list) ? list.items.map(({ value }) => value) : (list.items as (Node | null)[]);

/** How many values a step holds; undefined where anchors or aliases tie it to others. */
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

/** A part of what another step has printed; whether a warning is due depends on the outputs of the others. */
const pathReference = /\$\{[A-Za-z_][A-Za-z0-9_-]{0,80}[.[]/;

/**
 * Name, id, output and dependencies: as they are read, and as they are written, which a number is known by. A step that
 * refers to the outputs of others is tied to them by all of its text.
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

/** Has a step say that it waits for nobody, where it says for whom: these are not there. */
function forgetDependencies(step: Node | null): void {
  for (const pair of listTies(step)) {
    if (canonicalName(textOfKey(pair.key), 'step') !== 'depends' || pair.value === null) continue;
    if (!isSeq(pair.value) && textOfNode(pair.value) === undefined) continue;
    const nobody = new YAMLSeq();
    nobody.range = pair.value.range ?? null;
    pair.value = nobody;
  }
}
