import { isAlias, isMap, isScalar, isSeq, type Document, type Node } from 'yaml';
import type { NodeRef } from '../edit-result.ts';
import type { NodeAddress, Outline, OutlineDocument, TextRange } from '../outline.ts';
import type { EditableText } from '../yaml/editable-text.ts';
import { follow, textOfKey } from './fields.ts';
import { rangeOfNode } from './step-drafts.ts';

/** The document that an offset lies in or behind; the first one before all of them. */
export function documentAt({ documents }: Outline, offset: number): OutlineDocument | undefined {
  return documents.findLast(({ from }) => from <= offset) ?? documents[0];
}

/** The step or handler whose lines an offset lies on. */
export function refAt(outline: Outline, offset: number): NodeRef | undefined {
  const document = documentAt(outline, offset);
  const found = [...(document?.steps ?? []), ...(document?.handlers ?? [])].find(
    ({ from, to }) => from <= offset && offset <= to,
  );
  return found && refOf(found);
}

/** The name by which edits and selections know a step or handler. */
export const refOf = ({ section, name, document }: NodeRef): NodeRef => ({
  section,
  name,
  ...(document !== undefined && { document }),
});

/** The deepest value, or the entry whose key is there, at an offset; undefined between documents. */
export function addressAt({ text, documents }: EditableText, offset: number): NodeAddress | undefined {
  const index = documents.findIndex(({ contents }) => contains(contents, offset, text));
  if (index === -1) return undefined;
  const path: (string | number)[] = [];
  let node: Node | null = documents[index]!.contents;
  while (node !== null) {
    const next = childAt(node, offset, text);
    if (next === undefined) break;
    path.push(next.key);
    node = next.node;
  }
  return { document: index, path };
}

function childAt(
  node: Node,
  offset: number,
  text: string,
): { key: string | number; node: Node | null } | undefined {
  if (isSeq<Node | null>(node)) {
    const index = node.items.findIndex((item) => contains(item, offset, text));
    return index === -1 ? undefined : { key: index, node: node.items[index]! };
  }
  if (!isMap<Node, Node | null>(node)) return undefined;
  for (const { key, value } of node.items) {
    if (contains(value, offset, text)) return { key: textOfKey(key), node: value };
    if (contains(key, offset, text)) return { key: textOfKey(key), node: null };
  }
  return undefined;
}

function contains(node: Node | null, offset: number, text: string): boolean {
  const range = rangeOfNode(node, text);
  return range !== undefined && range.from <= offset && offset <= range.to;
}

/** Where the value at an address stands, an alias at its own place; undefined when there is none. */
export function rangeOf({ text, documents }: EditableText, address: NodeAddress): TextRange | undefined {
  const document = documents[address.document];
  return document && rangeOfNode(findNode(document, address.path), text);
}

/** The node at a path as it is written; on the way to it, aliases are followed. */
export function findNode(document: Document.Parsed, path: NodeAddress['path']): Node | null {
  let node: Node | null = document.contents;
  for (const key of path) {
    const parent: Node | null = isAlias(node) ? follow(node, document) : node;
    node = childOf(parent, key);
  }
  return node;
}

function childOf(parent: Node | null, key: string | number): Node | null {
  if (isSeq<Node | null>(parent)) return parent.items[Number(key)] ?? null;
  if (!isMap<Node, Node | null>(parent)) return null;
  return (
    parent.items.find((pair) => isScalar(pair.key) && textOfKey(pair.key) === String(key))?.value ?? null
  );
}
