import { dropStyles } from '../../base/text/visible-text.ts';

/** A name or a message must not move the cursor, recolour or retitle a terminal. */
const controlCharacters = /\p{Cc}/gu;

/** Text of a workflow made fit for one line of a terminal: line ends become spaces, control characters visible. */
export function oneLine(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ' ')
    .trim()
    .replace(controlCharacters, '\uFFFD');
}

/** Columns a text takes on the screen; colour codes take none. */
export function displayWidth(text: string): number {
  return [...dropStyles(text)].length;
}

/** The text cut to `width` columns, `…` at the end when something is missing. Takes text without colour codes. */
export function cutTo(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}
