// C0 and C1 control characters: a name or a message must not move the cursor, recolour or retitle a terminal.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controlCharacters = /[\u0000-\u001F\u007F-\u009F]/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const escapeSequences = /\u001B\[[0-9;]*m/g;

/** Text of a workflow made fit for one line of a terminal: line ends become spaces, control characters visible. */
export function oneLine(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ' ')
    .trim()
    .replace(controlCharacters, '\uFFFD');
}

/** Columns a text takes on the screen; colour codes take none. */
export function displayWidth(text: string): number {
  return [...text.replace(escapeSequences, '')].length;
}

/** The text cut to `width` columns, `…` at the end when something is missing. Takes text without colour codes. */
export function cutTo(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}
