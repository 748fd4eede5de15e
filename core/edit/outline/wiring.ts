import { isSeq, type Document, type Node, type Scalar } from 'yaml';
import { MAX_DEPENDENCIES } from '../../spec/limits.ts';
import { follow, textOfNode } from './fields.ts';
import type { StepDraft } from './step-drafts.ts';

/** One entry of `depends`. */
export interface AuthoredDependency {
  /** The name or id as written. */
  readonly reference: string;
  /** The scalar, with aliases resolved. */
  readonly node: Scalar;
  /** Its index in the list; undefined if `depends` is a string. */
  readonly index?: number;
}

/** Reads `depends` of a step; undefined if it is absent, empty for `[]`. */
export function readDepends(draft: StepDraft, document: Document.Parsed): AuthoredDependency[] | undefined {
  const value = draft.fields.get('depends')?.value;
  const text = textOfNode(value);
  if (text !== undefined) return [{ reference: text, node: value as Scalar }];
  if (!isSeq(value)) return undefined;
  return value.items.flatMap((item, index) => {
    const node: Node | null = follow(item, document);
    const reference = textOfNode(node);
    return reference === undefined ? [] : [{ reference, node: node as Scalar, index }];
  });
}

/**
 * Maps each name and id to the index of its step; names take precedence over ids
 * (core/spec/rules/graph/dependencies.ts).
 */
export function indexReferences(
  drafts: readonly StepDraft[],
  names: readonly string[],
): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  drafts.forEach(({ fields }, index) => {
    const id = textOfNode(fields.get('id')?.value);
    if (id !== undefined) known.set(id, index);
  });
  const own = new Set<string>();
  names.forEach((name, index) => {
    if (!own.has(name)) known.set(name, index);
    own.add(name);
  });
  return known;
}

/** Returns the dependencies of each step by index, with the same rules as the loader. Unknown names are ignored. */
export function resolveDependencies(
  type: 'chain' | 'graph',
  drafts: readonly StepDraft[],
  explicit: readonly (readonly number[] | undefined)[],
): number[][] {
  let room = MAX_DEPENDENCIES;
  let previous: number[] = [];
  let current: number[] = [];
  let item = -1;
  return drafts.map((draft, index) => {
    if (draft.item !== item) [previous, current, item] = [current, [], draft.item];
    current.push(index);
    const own = explicit[index];
    const isCut = type === 'graph' || own?.length === 0;
    const depends = isCut ? [...(own ?? [])] : [...new Set([...(own ?? []), ...previous])];
    room -= depends.length;
    return room < 0 ? [] : depends;
  });
}
