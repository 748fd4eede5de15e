import {
  isMap,
  isScalar,
  isSeq,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { AuthoredPath, TextRange } from '../outline.ts';
import { endOfNode } from '../yaml/entries/entries.ts';
import { follow, readFields, textOfKey, textOfNode, type Field } from './fields.ts';
import { kindOfFields, kindOfText, type StepKind } from './step-kind.ts';

/** A step or handler in the text. */
export interface StepDraft {
  readonly path: AuthoredPath;
  /** The step as written: a string, a map, or an alias. */
  readonly written: Node | null;
  /** The node with aliases resolved. */
  readonly node: Node | null;
  /** In a map of steps or handlers: the pair whose value it is. */
  readonly pair?: Pair;
  /** Index of the item it belongs to; members of a group share one. */
  readonly item: number;
  readonly isGrouped: boolean;
  /** Empty if it is not written. */
  readonly name: string;
  readonly nameNode?: Node;
  /** Empty for a step that is a string. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly kind: StepKind;
}

const noFields: ReadonlyMap<string, Field> = new Map();

/** Flattens lists, groups and the map form to one list in the order of the file. */
export function draftSteps(steps: Node | null, path: AuthoredPath, document: Document.Parsed): StepDraft[] {
  if (isSeq(steps)) return draftList(steps, path, document);
  return isMap(steps) ? draftMap(steps, path, document) : [];
}

function draftList(steps: YAMLSeq, path: AuthoredPath, document: Document.Parsed): StepDraft[] {
  return steps.items.flatMap((item, index) => {
    const at = [...path, index];
    const group = follow(item, document);
    if (!isSeq(group)) return [draftStep(item, { path: at, item: index, isGrouped: false }, document)];
    return group.items.map((member, position) =>
      draftStep(member, { path: [...at, position], item: index, isGrouped: true }, document),
    );
  });
}

function draftMap(steps: YAMLMap, path: AuthoredPath, document: Document.Parsed): StepDraft[] {
  return steps.items.flatMap((pair, index) => {
    const key = textOfKey(pair.key);
    if (!isScalar(pair.key) || key === '<<') return [];
    const position = { path: [...path, key], item: index, isGrouped: false };
    return [{ ...draftStep(pair.value, position, document), name: key, nameNode: pair.key, pair }];
  });
}

/** Drafts one step, handler or shorthand. */
export function draftStep(
  written: unknown,
  position: Pick<StepDraft, 'path' | 'item' | 'isGrouped'>,
  document: Document.Parsed,
): StepDraft {
  const node = follow(written, document);
  const base = { ...position, written: (written as Node | null) ?? null, node };
  if (!isMap(node)) return { ...base, name: '', fields: noFields, kind: kindOfText(textOfNode(node) ?? '') };
  const fields = readFields(node, 'step', document);
  const name = fields.get('name')?.value ?? undefined;
  return {
    ...base,
    name: textOfNode(name) ?? '',
    ...(name === undefined ? {} : { nameNode: name }),
    fields,
    kind: kindOfFields(fields, document),
  };
}

/** Returns the range of a node without trailing line breaks and comments. */
export function rangeOfNode(node: Node | null | undefined, text: string): TextRange | undefined {
  if (node?.range === undefined || node.range === null) return undefined;
  const [from] = node.range;
  return { from, to: from + text.slice(from, endOfNode(text, node)).trimEnd().length };
}
