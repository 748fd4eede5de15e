import { stripAnsiStyles } from '../../base/text/visible-text.ts';

/** Control characters must not move the cursor, or change colours or the title of a terminal. */
const controlCharacters = /\p{Cc}/gu;

/** Makes a string safe for one terminal line: newlines become spaces, control characters visible. */
export function oneLine(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ' ')
    .trim()
    .replace(controlCharacters, '\uFFFD');
}

/** Returns the number of terminal columns; colour codes have no width. */
export function displayWidth(text: string): number {
  return [...stripAnsiStyles(text)].length;
}

/** Truncates a string to `width` columns, with `…` at the end. The string must not contain colour codes. */
export function truncateToWidth(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}
