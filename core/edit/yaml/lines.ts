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
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** Returns the number of spaces at the start of the line at `start`. */
export function indentOf(text: string, start: number): number {
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
export function lineBreakOf(text: string): '\n' | '\r\n' {
  const end = text.indexOf('\n');
  return end > 0 && text[end - 1] === '\r' ? '\r\n' : '\n';
}
