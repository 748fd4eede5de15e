import {
  type EditResult,
  type EditRejection,
  type ChangeSet,
  type TextChange,
  composeChanges,
} from '../text-change.ts';

/** Returns an edit with these changes, in any order. */
export function accept(changes: readonly TextChange[]): EditResult {
  return { ok: true, changes: normalizeChanges(changes) };
}

export function reject(reason: string): EditRejection {
  return { ok: false, reason };
}

/** Sorts changes in the order of the text, joins adjacent ones and removes those without effect. */
export function normalizeChanges(changes: readonly TextChange[]): ChangeSet {
  const arranged: TextChange[] = [];
  const sorted = changes
    .filter(({ from, to, insert }) => from !== to || insert !== '')
    .toSorted((a, b) => a.from - b.from || a.to - b.to);
  for (const change of sorted) {
    const last = arranged.at(-1);
    if (last === undefined || change.from > last.to) {
      arranged.push(change);
      continue;
    }
    const to = Math.max(last.to, change.to);
    arranged[arranged.length - 1] = { from: last.from, to, insert: last.insert + change.insert };
  }
  return arranged;
}

/**
 * Combines successive changes, each with offsets of the text after the previous one, into one set. Omits changes that
 * cancel each other out.
 * @param text the text before the first change
 */
export function combine(text: string, ...edits: readonly ChangeSet[]): ChangeSet {
  const changes = edits.reduce<ChangeSet>(composeChanges, []);
  return changes.filter(({ from, to, insert }) => text.slice(from, to) !== insert);
}

/** Returns the start of the line at an offset; after the byte order mark on the first line. */
export function lineStart(text: string, offset: number): number {
  // With a negative position, `lastIndexOf` would still search at offset 0.
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  return start === 0 && text.startsWith('\uFEFF') ? Math.min(1, offset) : start;
}

/** Returns the end of the line at an offset, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

/** Returns the start of the next line after an offset, or the end of the text if there is none. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** Returns the 0-based column of an offset. */
export function getColumn(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** Returns the number of spaces at the start of the line at `start`. */
export function getIndent(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ') at += 1;
  return at - start;
}

/** Whether there is only whitespace from `start` to the end of its line. */
export function isBlankFrom(text: string, start: number): boolean {
  return /^[ \t\r]*$/.test(text.slice(start, lineEnd(text, start)));
}

/** Whether the line at `start` only contains a comment. */
export function isCommentLine(text: string, start: number): boolean {
  return /^[ \t]*#/.test(text.slice(start, lineEnd(text, start)));
}

/** Whether an offset is that of the first non-blank character of its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}

/** Returns `\r\n` if the first line ends with it, else `\n`. */
export function getLineBreak(text: string): '\n' | '\r\n' {
  const end = text.indexOf('\n');
  return end > 0 && text[end - 1] === '\r' ? '\r\n' : '\n';
}
