import { isMap, isScalar, isSeq, type Document, type Node } from 'yaml';
import type { EditableText } from '../editable-text.ts';
import {
  entriesOf,
  isBlockCollection,
  isFlow,
  rootOf,
  type Collection,
  type Entry,
} from '../entries/entries.ts';
import { columnOf, lineBreakOf, lineStart } from '../lines.ts';
import type { Quotes } from './scalar-text.ts';

/** The formatting style of the text, for new lines. */
export interface Layout {
  /** Indentation of a map relative to its key. */
  readonly step: number;
  /** Indentation of the `-` of a list relative to its key; often 0. */
  readonly listStep: number;
  /** Number of spaces after `-`. */
  readonly gap: number;
  /** Padding inside `{ }` and `[ ]`: a space or nothing. */
  readonly mapPadding: string;
  readonly listPadding: string;
  readonly lineBreak: '\n' | '\r\n';
}

/** Maximum number of entries that are inspected to detect a style. */
const MAX_LOOKS = 400;

const cached = new WeakMap<Document.Parsed, Layout>();

/** Detects the style of a document. */
export function layoutOf({ text }: EditableText, document: Document.Parsed): Layout {
  let layout = cached.get(document);
  if (layout === undefined) {
    layout = readLayout(text, document);
    cached.set(document, layout);
  }
  return layout;
}

/** Detects the style of a document, with precedence for the neighbors of a new entry. */
export function layoutAt(editable: EditableText, document: Document.Parsed, neighbours: Collection): Layout {
  const style: Partial<Layout> = {};
  for (const entry of entriesOf(neighbours).slice(0, MAX_LOOKS)) detectStyle(editable.text, entry, style);
  return { ...layoutOf(editable, document), ...style };
}

function readLayout(text: string, document: Document.Parsed): Layout {
  const style: Partial<Layout> = {};
  const queue: (Node | null)[] = [rootOf(document)];
  for (let visited = 0; visited < MAX_LOOKS && queue.length > 0; visited += 1) {
    const node = queue.shift();
    if (!isMap(node) && !isSeq(node)) continue;
    for (const entry of entriesOf(node).slice(0, 20)) {
      detectStyle(text, entry, style);
      queue.push(entry.value);
    }
  }
  const step = style.step ?? (style.listStep === 0 ? undefined : style.listStep) ?? 2;
  return {
    step,
    listStep: style.listStep ?? step,
    gap: style.gap ?? 1,
    mapPadding: style.mapPadding ?? '',
    listPadding: style.listPadding ?? '',
    lineBreak: lineBreakOf(text),
  };
}

type PartialLayout = { -readonly [Key in keyof Layout]?: Layout[Key] };

/** Detects the properties of the style that an entry shows and that are not known yet. */
function detectStyle(text: string, { collection, from, value }: Entry, style: PartialLayout): void {
  if (value === null || (!isMap(value) && !isSeq(value))) {
    if (isScalar(value) && isSeq(collection) && !isFlow(collection)) recordGap(text, from, value, style);
    return;
  }
  const inner = value;
  if (isFlow(inner)) {
    const padding = /^.[ \t]/.test(text.slice(inner.range![0], inner.range![0] + 2)) ? ' ' : '';
    if (entriesOf(inner).length === 0) return;
    if (isMap(inner)) style.mapPadding ??= padding;
    else style.listPadding ??= padding;
    return;
  }
  if (isSeq(collection)) {
    recordGap(text, from, inner, style);
    return;
  }
  const depth = columnOf(text, entriesOf(inner)[0]?.from ?? from) - columnOf(text, from);
  if (isSeq(inner)) style.listStep ??= Math.max(0, depth);
  else if (depth > 0) style.step ??= depth;
}

function recordGap(text: string, dash: number, value: Node, style: PartialLayout): void {
  const start = isBlockCollection(value) ? entriesOf(value)[0]?.from : value.range![0];
  if (start === undefined || lineStart(text, start) !== lineStart(text, dash)) return;
  if (/^ *$/.test(text.slice(dash + 1, start))) style.gap ??= Math.max(1, start - dash - 1);
}

/** Returns the quotes that all keys of a map, or all strings of a list, have in common. */
export function commonQuotes(collection: Collection): Quotes | undefined {
  const scalars = entriesOf(collection).map(({ key, value }) => (isMap(collection) ? key : value));
  const kinds = new Set(scalars.filter(isScalar).map(({ type }) => type));
  if (kinds.size !== 1) return undefined;
  if (kinds.has('QUOTE_DOUBLE')) return 'double';
  return kinds.has('QUOTE_SINGLE') ? 'single' : undefined;
}
