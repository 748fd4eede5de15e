/** Where the line of an offset begins; behind the byte order mark in the first one. */
export function lineStart(text: string, offset: number): number {
  // Asked from before the text, `lastIndexOf` would look at its first character still.
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  return start === 0 && text.startsWith('\uFEFF') ? Math.min(1, offset) : start;
}

/** Where the line of an offset ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

/** Where the line after that of an offset begins; the end of the text when there is none. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** 0-based. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** How many spaces the line at `start` begins with. */
export function indentOf(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ') at += 1;
  return at - start;
}

/** Whether there is nothing but blanks from `start` to the end of its line. */
export function isBlankFrom(text: string, start: number): boolean {
  return /^[ \t\r]*$/.test(text.slice(start, lineEnd(text, start)));
}

/** Whether the line at `start` holds a comment and nothing else. */
export function isCommentLine(text: string, start: number): boolean {
  return /^[ \t]*#/.test(text.slice(start, lineEnd(text, start)));
}

/** Whether an offset is the first of its line that is no blank. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}

/** `\r\n` when the first line ends so. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  const end = text.indexOf('\n');
  return end > 0 && text[end - 1] === '\r' ? '\r\n' : '\n';
}
