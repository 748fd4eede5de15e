import { isMap, isScalar, isSeq, type Document, type Node } from 'yaml';
import type { JsonValue } from '../../base/json.ts';
import { stripBom } from '../../base/text.ts';
import { RawYaml, type Content, type ContentMap, plainValue } from './read-value.ts';
import { blockText, scalarText, type Quotes } from './scalar-text.ts';
import { type EditableText, readEditable } from './editable-text.ts';
import {
  getEntries,
  isBlockCollection,
  isFlow,
  getRoot,
  type Collection,
  type Entry,
  getHeader,
  isBlockScalar,
  lastScalar,
} from './entries.ts';
import { getColumn, getLineBreak, lineStart } from './text-edits.ts';

/** The position of the parent of a value in block style. */
export interface BlockAnchor {
  /** Column of the key or the `-`. */
  readonly column: number;
  readonly isItem: boolean;
  /** Column of a value on the line of its `-`. */
  readonly gap?: number;
}

/** A value in block style: the part on the line of its key or `-`, if any, and the lines below. */
export interface Rendered {
  readonly head: string;
  readonly rest: readonly string[];
  /** Comment lines above the key or `-`, without indentation. */
  readonly above?: readonly string[];
}

interface RenderOptions {
  readonly layout: Layout;
  /** False if `|` would include the text that follows. */
  readonly mayBeBlockText: boolean;
  readonly quotes?: Quotes;
  /** Quotes of new keys and strings inside brackets, if the neighbors have them. */
  readonly keyQuotes?: Quotes;
}

/** Formats a value in block style. */
export function renderBlock(value: Content, hook: BlockAnchor, options: RenderOptions): Rendered {
  const { layout } = options;
  if (value instanceof RawYaml) return rawLines(value, hook, options, renderBlock);
  if (value === null || typeof value !== 'object') return renderScalar(value, hook, options);
  const inner = { layout, mayBeBlockText: options.mayBeBlockText };
  if (Array.isArray(value)) {
    if (value.length === 0) return { head: '[]', rest: [] };
    const column = hook.isItem ? contentColumn(hook) : hook.column + layout.listStep;
    return normalizeChanges(
      value.flatMap((item) => itemLines(item, column, inner)),
      hook,
      column,
    );
  }
  const entries = Object.entries(value as ContentMap);
  if (entries.length === 0) return { head: '{}', rest: [] };
  const column = hook.isItem ? contentColumn(hook) : hook.column + layout.step;
  return normalizeChanges(
    entries.flatMap(([key, each]) => renderPairLines(key, each, column, inner)),
    hook,
    column,
  );
}

/** Returns the lines of an item, starting with its `-`. */
export function itemLines(value: Content, column: number, options: RenderOptions): string[] {
  const { gap } = options.layout;
  const { head, rest, above = [] } = renderBlock(value, { column, isItem: true, gap }, options);
  const pad = ' '.repeat(column);
  return [...above.map((line) => pad + line), `${pad}-${' '.repeat(gap)}${head}`, ...rest];
}

/** Returns the lines of a key with its value. */
export function renderPairLines(
  key: string,
  value: Content,
  column: number,
  options: RenderOptions,
): string[] {
  const { keyQuotes, ...inner } = options;
  const { head, rest, above = [] } = renderBlock(value, { column, isItem: false }, inner);
  const pad = ' '.repeat(column);
  const name = keyText(key, false, keyQuotes);
  return [...above.map((line) => pad + line), `${pad}${name}:${head === '' ? '' : ` ${head}`}`, ...rest];
}

/** Formats a key; quotes `<<`, so that it is not a merge key. */
export function keyText(key: string, inFlow: boolean, quotes?: Quotes): string {
  return scalarText(key, { inFlow, ...(quotes && { quotes }) });
}

/** Formats a value in flow style, on one line. */
export function renderFlow(value: Content, layout: Layout, quotes?: Quotes): string {
  if (value instanceof RawYaml) return renderFlow(rawValue(value), layout, quotes);
  if (value === null || typeof value !== 'object') {
    return scalarText(value, { inFlow: true, ...(quotes && { quotes }) });
  }
  if (Array.isArray(value)) {
    return enclose(
      '[',
      value.map((item) => renderFlow(item, layout, quotes)),
      layout.listPadding,
    );
  }
  const pairs = Object.entries(value as ContentMap).map(([key, each]) =>
    formatFlowPair(key, each, layout, quotes),
  );
  return enclose('{', pairs, layout.mapPadding);
}

/** Formats a key with its value in flow style. */
export function formatFlowPair(key: string, value: Content, layout: Layout, quotes?: Quotes): string {
  return `${keyText(key, true, quotes)}: ${renderFlow(value, layout, quotes)}`;
}

function enclose(open: '[' | '{', items: readonly string[], padding: string): string {
  const close = open === '[' ? ']' : '}';
  return items.length === 0 ? open + close : open + padding + items.join(', ') + padding + close;
}

function renderScalar(
  value: null | boolean | number | string,
  hook: BlockAnchor,
  { layout, mayBeBlockText, quotes }: RenderOptions,
): Rendered {
  if (typeof value === 'string' && value.includes('\n') && mayBeBlockText && quotes !== 'double') {
    const column = hook.column + Math.max(layout.step, 1);
    const text = blockText(value, { parent: hook.column, column });
    if (text !== undefined) return { head: text.header, rest: text.lines };
  }
  return { head: scalarText(value, { inFlow: false, ...(quotes && { quotes }) }), rest: [] };
}

function contentColumn({ column, gap = 1 }: BlockAnchor): number {
  return column + 1 + gap;
}

/** Puts the first line after `-` on the same line. */
function normalizeChanges(lines: readonly string[], { isItem }: BlockAnchor, column: number): Rendered {
  if (!isItem) return { head: '', rest: lines };
  const [first, ...rest] = lines;
  return { head: first!.slice(column), rest };
}

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

const cachedLayouts = new WeakMap<Document.Parsed, Layout>();

/** Detects the style of a document. */
export function getLayout({ text }: EditableText, document: Document.Parsed): Layout {
  let layout = cachedLayouts.get(document);
  if (layout === undefined) {
    layout = readLayout(text, document);
    cachedLayouts.set(document, layout);
  }
  return layout;
}

/** Detects the style of a document, with precedence for the neighbors of a new entry. */
export function layoutAt(editable: EditableText, document: Document.Parsed, neighbours: Collection): Layout {
  const style: Partial<Layout> = {};
  for (const entry of getEntries(neighbours).slice(0, MAX_LOOKS)) detectStyle(editable.text, entry, style);
  return { ...getLayout(editable, document), ...style };
}

function readLayout(text: string, document: Document.Parsed): Layout {
  const style: Partial<Layout> = {};
  const queue: (Node | null)[] = [getRoot(document)];
  for (let visited = 0; visited < MAX_LOOKS && queue.length > 0; visited += 1) {
    const node = queue.shift();
    if (!isMap(node) && !isSeq(node)) continue;
    for (const entry of getEntries(node).slice(0, 20)) {
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
    lineBreak: getLineBreak(text),
  };
}

type PartialLayout = { -readonly [Key in keyof Layout]?: Layout[Key] };

/** Detects the properties of an entry's style that are not known yet. */
function detectStyle(text: string, { collection, from, value }: Entry, style: PartialLayout): void {
  if (value === null || (!isMap(value) && !isSeq(value))) {
    if (isScalar(value) && isSeq(collection) && !isFlow(collection)) recordGap(text, from, value, style);
    return;
  }
  const inner = value;
  if (isFlow(inner)) {
    const padding = /^.[ \t]/.test(text.slice(inner.range![0], inner.range![0] + 2)) ? ' ' : '';
    if (getEntries(inner).length === 0) return;
    if (isMap(inner)) style.mapPadding ??= padding;
    else style.listPadding ??= padding;
    return;
  }
  if (isSeq(collection)) {
    recordGap(text, from, inner, style);
    return;
  }
  const depth = getColumn(text, getEntries(inner)[0]?.from ?? from) - getColumn(text, from);
  if (isSeq(inner)) style.listStep ??= Math.max(0, depth);
  else if (depth > 0) style.step ??= depth;
}

function recordGap(text: string, dash: number, value: Node, style: PartialLayout): void {
  const start = isBlockCollection(value) ? getEntries(value)[0]?.from : value.range![0];
  if (start === undefined || lineStart(text, start) !== lineStart(text, dash)) return;
  if (/^ *$/.test(text.slice(dash + 1, start))) style.gap ??= Math.max(1, start - dash - 1);
}

/** Returns the quotes that all keys of a map, or all strings of a list, have in common. */
export function commonQuotes(collection: Collection): Quotes | undefined {
  const scalars = getEntries(collection).map(({ key, value }) => (isMap(collection) ? key : value));
  const kinds = new Set(scalars.filter(isScalar).map(({ type }) => type));
  if (kinds.size !== 1) return undefined;
  if (kinds.has('QUOTE_DOUBLE')) return 'double';
  return kinds.has('QUOTE_SINGLE') ? 'single' : undefined;
}

const cachedTexts = new WeakMap<RawYaml, EditableText>();

/** Parses YAML source; the result is cached. */
export function readRaw(raw: RawYaml): EditableText {
  let editable = cachedTexts.get(raw);
  if (editable === undefined) {
    editable = readEditable(stripBom(raw.yaml).replaceAll('\r\n', '\n'));
    cachedTexts.set(raw, editable);
  }
  return editable;
}

/** Returns the value of YAML source. */
function rawValue(raw: RawYaml): JsonValue {
  const [document] = readRaw(raw).documents;
  return document === undefined ? null : plainValue(document, document.contents);
}

/** Formats YAML source in block style with the indentation of its destination. */
function rawLines(
  raw: RawYaml,
  hook: BlockAnchor,
  options: RenderOptions,
  renderValue: (value: Content, hook: BlockAnchor, options: RenderOptions) => Rendered,
): Rendered {
  const { text, documents } = readRaw(raw);
  const node = documents[0] === undefined ? null : getRoot(documents[0]);
  if (node === null || !canKeepSource(node, text, options.mayBeBlockText))
    return renderValue(rawValue(raw), hook, options);
  const start = lineStart(text, node.range![0]);
  const above = text
    .slice(0, start)
    .split('\n')
    .map((line) => line.trim());
  const comments = above.filter((line) => line.startsWith('#'));
  const body = dedent(text.slice(start).trimEnd().split('\n'));
  if (!isBlockCollection(node)) return { head: body[0]!, rest: [], above: comments };
  const column = hook.isItem ? hook.column + 1 + (hook.gap ?? 1) : innerColumn(node, hook, options);
  const lines = body.map((line) => (line === '' ? '' : ' '.repeat(column) + line));
  if (!hook.isItem) return { head: '', rest: lines, above: comments };
  return { head: body[0]!, rest: lines.slice(1), above: comments };
}

/** Whether the source can be used as it is, with different indentation. */
export function canKeepSource(node: Node | null, text: string, mayBeBlockText: boolean): boolean {
  if (isBlockCollection(node)) {
    const last = lastScalar(node);
    const swallows = isBlockScalar(last) && (!mayBeBlockText || /^[|>]\S*\+/.test(getHeader(last)));
    return !/^---|^%/m.test(text) && !swallows;
  }
  if (isScalar(node) || isMap(node) || isSeq(node)) {
    return !isBlockScalar(node) && node.anchor === undefined && !text.trim().includes('\n');
  }
  return !text.trim().includes('\n');
}

function dedent(lines: readonly string[]): string[] {
  const depth = /^ */.exec(lines[0]!)![0].length;
  return lines.map((line) => line.slice(Math.min(depth, /^ */.exec(line)![0].length)));
}

function innerColumn(node: Node, { column }: BlockAnchor, { layout }: RenderOptions): number {
  return column + (isSeq(node) ? layout.listStep : layout.step);
}
