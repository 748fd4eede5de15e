import { isCollection, type Scalar } from 'yaml';
import type { TextChange } from '../text-change.ts';
import { blockLines, hasCommentsBehind } from './block-lines.ts';
import type { EditableText } from './editable-text.ts';
import {
  getEntryEnd,
  getEntries,
  getHeader,
  isBlockCollection,
  isBlockScalar,
  isFlow,
  type Collection,
  type Entry,
} from './entries.ts';
import {
  getColumn,
  getIndent,
  isBlankFrom,
  isFirstOnLine,
  lineEnd,
  lineStart,
  nextLine,
} from './text-edits.ts';
import type { Content } from './read-value.ts';
import { blockText, isPlain, scalarText, type Quotes } from './scalar-text.ts';
import { type Layout, renderBlock, renderFlow, type BlockAnchor, type Rendered } from './render.ts';

/** An entry whose value is replaced. */
interface Replacement {
  readonly editable: EditableText;
  readonly entry: Entry;
  readonly content: Content;
  readonly layout: Layout;
}

/**
 * Returns the changes that replace the value of an entry. Everything else on its lines stays: the key, an anchor,
 * comments after the value. The tag is removed with the old value.
 */
export function replaceValue(replacement: Replacement): TextChange[] {
  const { editable, entry } = replacement;
  const changes = isFlow(entry.collection) ? replaceInFlow(replacement) : replaceInBlock(replacement);
  if (entry.tag === undefined) return changes;
  const before = /[ \t]*$/.exec(editable.text.slice(0, entry.tag.from))![0].length;
  return [{ from: entry.tag.from - before, to: entry.tag.to, insert: '' }, ...changes];
}

function replaceInFlow({ entry, content, layout }: Replacement): TextChange[] {
  const quotes = getQuotes(entry, content);
  const text = isScalarContent(content)
    ? scalarText(content, { inFlow: true, ...(quotes && { quotes }) })
    : renderFlow(content, layout);
  if (entry.value !== null) {
    const [from, to] = entry.value.range!;
    return [{ from, to, insert: text }];
  }
  const lead = entry.key === undefined || entry.hasColon ? ' ' : ': ';
  return [{ from: entry.open, to: entry.open, insert: lead + text }];
}

function replaceInBlock(replacement: Replacement): TextChange[] {
  const { entry } = replacement;
  const next = renderFor(replacement);
  if (entry.value === null) return writeMissing(replacement, next);
  if (isBlockScalar(entry.value)) return replaceBlockText(replacement, entry.value, next);
  if (isBlockCollection(entry.value)) return replaceCollection(replacement, entry.value, next);
  return replaceInline(replacement, next);
}

function renderFor({ editable, entry, content, layout }: Replacement): Rendered {
  const column = getColumn(editable.text, entry.from);
  const mayBeBlockText = isBlockCollection(entry.value) || !hasCommentsBehind(editable.text, entry);
  if (typeof content === 'string' && isBlockScalar(entry.value)) {
    const text = rewriteBlockText(editable.text, entry, content);
    if (text !== undefined) return text;
  }
  const quotes = getQuotes(entry, content);
  const hook = { column, isItem: entry.key === undefined, gap: getGap(editable.text, entry) };
  const next = renderBlock(content, hook, { layout, mayBeBlockText, ...(quotes && { quotes }) });
  return afterAnchor(entry, content, moveLeadingComments(next, hook), hook);
}

/** Returns the spaces between `-` and the value, which the new value keeps. */
function getGap(text: string, { value, mark, open }: Entry): number {
  const start = isBlockCollection(value) ? getEntries(value)[0]!.from : value?.range?.[0];
  return start !== undefined && open === mark && isSameLine(text, mark, start)
    ? Math.max(1, start - mark)
    : 1;
}

/** After an anchor, a list or map starts on a new line: on the same line, the anchor would belong to its first key. */
function afterAnchor(
  { key, open, mark }: Entry,
  content: Content,
  next: Rendered,
  { column, gap = 1 }: BlockAnchor,
): Rendered {
  const isBlock = next.head !== '' && next.rest.length > 0 && !/^[|>]/.test(next.head);
  const isPair =
    next.head !== '' && typeof content === 'object' && content !== null && !/^[[{]/.test(next.head);
  if (key !== undefined || open === mark || (!isBlock && !isPair)) return next;
  return { head: '', rest: [' '.repeat(column + 1 + gap) + next.head, ...next.rest] };
}

/** Moves comments at the start of new YAML source behind the existing key or `-`. */
function moveLeadingComments(
  { head, rest, above = [] }: Rendered,
  { column, isItem, gap = 1 }: BlockAnchor,
): Rendered {
  if (above.length === 0 || (head !== '' && !isItem)) return { head, rest };
  const pad = head === '' ? /^ */.exec(rest[0] ?? '')![0] : ' '.repeat(column + 1 + gap);
  const [first, ...others] = above;
  if (head === '') return { head, rest: [...above.map((line) => pad + line), ...rest] };
  return { head: first!, rest: [...others.map((line) => pad + line), pad + head, ...rest] };
}

/** Writes a string as a block scalar with the header and indentation of the block scalar it replaces. */
function rewriteBlockText(text: string, entry: Entry, content: string): Rendered | undefined {
  const header = getHeader(entry.value as Scalar);
  const parent = getColumn(text, entry.from);
  const end = getEntryEnd(text, entry);
  const depth = Number(/\d/.exec(header)?.[0] ?? 0);
  const column =
    depth > 0 ? parent + depth : getLinesColumn(text, nextLine(text, entry.value!.range![0]), end);
  if (column === undefined) return undefined;
  const after = nextLine(text, end);
  const mayKeep = header.includes('+') || after >= text.length || !isBlankFrom(text, after);
  const next = blockText(content, { parent, column, folded: header.startsWith('>'), mayKeep });
  return next && { head: next.header, rest: next.lines };
}

function getLinesColumn(text: string, start: number, end: number): number | undefined {
  for (let line = start; line <= end && line < text.length; line = nextLine(text, line)) {
    if (!isBlankFrom(text, line)) return getIndent(text, line);
  }
  return undefined;
}

/** Writes a value where there is none. */
function writeMissing(
  { editable: { text }, entry, layout: { lineBreak } }: Replacement,
  next: Rendered,
): TextChange[] {
  const at = entry.open;
  if (entry.key !== undefined && !entry.hasColon) {
    const pad = ' '.repeat(getColumn(text, entry.from));
    const lines = [`${pad}:${next.head === '' ? '' : ` ${next.head}`}`, ...next.rest];
    return [insertion(lineEnd(text, at), linesBelow(lines, lineBreak))];
  }
  return [
    insertion(at, next.head === '' ? '' : ` ${next.head}`),
    insertion(lineEnd(text, at), linesBelow(next.rest, lineBreak)),
  ];
}

function replaceBlockText(
  { editable: { text }, entry, layout: { lineBreak } }: Replacement,
  value: Scalar,
  next: Rendered,
): TextChange[] {
  const start = value.range![0];
  const end = start + getHeader(value).length;
  const header =
    next.head === ''
      ? { from: isSameLine(text, entry.open, start) ? entry.open : start, to: end, insert: '' }
      : { from: start, to: end, insert: next.head };
  const lines = lineEnd(text, end);
  const to = Math.max(lines, getEntryEnd(text, entry));
  return [header, { from: lines, to, insert: linesBelow(next.rest, lineBreak) }];
}

function replaceCollection(
  { editable, entry, layout: { lineBreak } }: Replacement,
  value: Collection,
  next: Rendered,
): TextChange[] {
  const { text } = editable;
  const { to } = blockLines(editable, entry);
  const lead = next.head === '' ? '' : ` ${next.head}`;
  if (isSameLine(text, entry.open, value.range![0])) {
    return next.head === ''
      ? [{ from: entry.open, to, insert: linesBelow(next.rest, lineBreak) }]
      : [
          {
            from: findCollectionStart(text, entry),
            to,
            insert: next.head + linesBelow(next.rest, lineBreak),
          },
        ];
  }
  const lines = lineEnd(text, entry.open);
  return [insertion(entry.open, lead), { from: lines, to, insert: linesBelow(next.rest, lineBreak) }];
}

/** Returns the offset after the spaces that follow `-`; anchors of the first key belong to the collection. */
function findCollectionStart(text: string, { open }: Entry): number {
  return open + /^[ \t]*/.exec(text.slice(open))![0].length;
}

function replaceInline(
  { editable: { text }, entry, layout: { lineBreak } }: Replacement,
  next: Rendered,
): TextChange[] {
  const [from, to] = entry.value!.range!;
  const rest = insertion(lineEnd(text, to), linesBelow(next.rest, lineBreak));
  if (next.head !== '') return [{ from, to, insert: next.head }, rest];
  if (isSameLine(text, entry.open, from)) return [{ from: entry.open, to, insert: '' }, rest];
  const isAlone = isFirstOnLine(text, from) && isBlankFrom(text, to);
  const start = isAlone ? lineEnd(text, lineStart(text, lineStart(text, from) - 1)) : from;
  return [{ from: start, to, insert: '' }, rest];
}

/**
 * Returns the quotes of the replaced scalar if they can contain the new value. Quotes that the old value required and
 * the new one does not are dropped: they may be temporary, for example after a word and a space were typed and before
 * the next word.
 */
function getQuotes({ collection, value }: Entry, content: Content): Quotes | undefined {
  if (typeof content !== 'string' || value === null || isCollection(value)) return undefined;
  const { type, value: old } = value as Scalar;
  const inFlow = isFlow(collection);
  if (typeof old === 'string' && !isPlain(old, inFlow) && isPlain(content, inFlow)) return undefined;
  if (type === 'QUOTE_SINGLE') return content.includes('\n') ? undefined : 'single';
  if (type !== 'QUOTE_DOUBLE') return undefined;
  const hadLines = typeof old === 'string' && old.includes('\n');
  return content.includes('\n') && !hadLines ? undefined : 'double';
}

function isScalarContent(content: Content): content is null | boolean | number | string {
  return content === null || typeof content !== 'object';
}

function isSameLine(text: string, a: number, b: number): boolean {
  return lineStart(text, a) === lineStart(text, b);
}

function insertion(at: number, insert: string): TextChange {
  return { from: at, to: at, insert };
}

/** Returns lines to append after the end of a line. */
export function linesBelow(lines: readonly string[], lineBreak: string): string {
  return lines.map((line) => lineBreak + line).join('');
}
