/**
 * A part of an argument. Text in single quotes is left as written, because the program in the container may read it.
 */
export interface ArgumentPart {
  readonly text: string;
  readonly isLiteral: boolean;
}

/** Matches a unit: quotes, a command in backticks, a variable with its default, or an escaped character. */
const piecePattern =
  /"(?<double>(?:\\.|[^"\\])*)"|'(?<single>[^']*)'|(?<space>\s+)|`(?:\\.|[^`\\])+`|\$\{(?:[^{}]|\$\{[^{}]*\})*\}|\\.|./gs;

/**
 * Splits a command into its arguments like `splitWords`, but before values are inserted. Keeps text in single quotes
 * apart. A variable or a command in backticks is part of one argument, including its spaces.
 */
export function splitCommand(text: string): ArgumentPart[][] {
  const words: ArgumentPart[][] = [];
  let parts: ArgumentPart[] | undefined;
  for (const { 0: piece, groups = {} } of text.matchAll(piecePattern)) {
    const { double, single, space } = groups;
    if (space !== undefined) {
      parts = undefined;
      continue;
    }
    if (parts === undefined) words.push((parts = []));
    if (single !== undefined) parts.push({ text: single, isLiteral: true });
    else addText(parts, double === undefined ? piece : double.replaceAll(/\\(["\\])/g, '$1'));
  }
  return words;
}

/** Appends to the previous text, because an escape or a name may span several pieces. */
function addText(parts: ArgumentPart[], text: string): void {
  const last = parts.at(-1);
  if (last === undefined || last.isLiteral) parts.push({ text, isLiteral: false });
  else parts.splice(-1, 1, { text: last.text + text, isLiteral: false });
}
