import { isAlias, visit } from 'yaml';
import type { JsonValue } from '../../base/json.ts';
import { getAnchors, type WalkFailure } from './walk.ts';
import type { EditableText } from './editable-text.ts';
import { getRoot } from './entries.ts';
import { RawYaml, type Content } from './read-value.ts';
import { canKeepSource, readRaw } from './render.ts';

/** Maximum length of a key in YAML. */
const MAX_KEY = 1024;

/** Where a value is inserted. */
export interface Destination {
  readonly document: number;
  /** Offset before the value. */
  readonly offset: number;
  readonly inFlow: boolean;
}

/**
 * Validates a value before it is written: YAML source must be valid, have one document, and only use aliases of
 * anchors that it or the document defines before. Renames its anchors if the document already has them.
 */
export function prepareContent(
  editable: EditableText,
  destination: Destination,
  value: JsonValue | RawYaml,
): { readonly content: Content } | WalkFailure {
  if (!(value instanceof RawYaml)) {
    return hasLongKey(value) ? { reason: `Keys are limited to ${MAX_KEY} characters.` } : { content: value };
  }
  const raw = readRaw(value);
  if (raw.syntaxError !== undefined) {
    const { line } = raw.lines.locate(raw.syntaxError.offset);
    return {
      reason: `Invalid YAML in line ${line} of the inserted text. ${raw.syntaxError.message}`,
    };
  }
  if (raw.documents.length > 1) {
    return { reason: 'The inserted text has several YAML documents. Insert one document at a time.' };
  }
  const foreign = findForeignAlias(editable, raw, destination);
  if (foreign !== undefined) {
    return {
      reason: `The inserted text uses the alias *${foreign}, which is not defined before this position. Write out the value instead.`,
    };
  }
  return { content: renameAnchors(editable, destination.document, value) };
}

function hasLongKey(value: JsonValue): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some(hasLongKey);
  return Object.entries(value).some(([key, inner]) => key.length > MAX_KEY || hasLongKey(inner));
}

function findForeignAlias(
  editable: EditableText,
  raw: EditableText,
  { document: index, offset, inFlow }: Destination,
): string | undefined {
  const [document] = raw.documents;
  const target = editable.documents[index];
  if (document === undefined || !raw.text.includes('*')) return undefined;
  const anchors = target === undefined ? [] : getAnchors(target).anchors;
  const isTaken = !inFlow && canKeepSource(getRoot(document), raw.text, true);
  let foreign: string | undefined;
  visit(document, {
    Alias: (_, alias) => {
      if (getAnchors(document).getTarget(alias) !== undefined) return;
      const defined = anchors.filter(({ name }) => name === alias.source);
      const isKnown = isTaken && defined.length === 1 && defined[0]!.offset < offset;
      if (!isKnown) foreign ??= alias.source;
    },
  });
  return foreign;
}

/** A second anchor of the same name would change the aliases below it. */
function renameAnchors(editable: EditableText, index: number, value: RawYaml): RawYaml {
  const raw = readRaw(value);
  const first = raw.documents[0]!;
  const { anchors } = getAnchors(first);
  if (anchors.length === 0) return value;
  const renames = new Map<string, string>();
  const document = editable.documents[index];
  const usedNames = new Set(
    document === undefined ? [] : getAnchors(document).anchors.map(({ name }) => name),
  );
  for (const { name } of anchors) {
    if (!usedNames.has(name) || renames.has(name)) continue;
    let number = 2;
    while (usedNames.has(`${name}_${number}`)) number += 1;
    renames.set(name, `${name}_${number}`);
    usedNames.add(`${name}_${number}`);
  }
  if (renames.size === 0) return value;
  return new RawYaml(renameIn(raw.text, first, renames));
}

function renameIn(
  text: string,
  document: EditableText['documents'][number],
  names: ReadonlyMap<string, string>,
): string {
  const occurrences: { at: number; length: number; name: string }[] = [];
  visit(document, {
    Node: (_, node) => {
      const start = node.range?.[0] ?? 0;
      if (isAlias(node)) {
        const name = names.get(node.source);
        if (name !== undefined) occurrences.push({ at: start + 1, length: node.source.length, name });
      } else if ('anchor' in node && typeof node.anchor === 'string') {
        const name = names.get(node.anchor);
        const at = text.lastIndexOf(`&${node.anchor}`, start);
        if (name !== undefined && at >= 0) occurrences.push({ at: at + 1, length: node.anchor.length, name });
      }
    },
  });
  let renamed = text;
  for (const { at, length, name } of occurrences.toSorted((a, b) => b.at - a.at)) {
    renamed = renamed.slice(0, at) + name + renamed.slice(at + length);
  }
  return renamed;
}
