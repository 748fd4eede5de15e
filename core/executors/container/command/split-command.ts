/** A part of an argument. What stood in single quotes stays as written: the program in the container may read it. */
export interface ArgumentPart {
  readonly text: string;
  readonly isLiteral: boolean;
}

/** What holds together: quotes, a command in backticks, a variable with its default, an escaped character. */
const piecePattern =
  /"(?<double>(?:\\.|[^"\\])*)"|'(?<single>[^']*)'|(?<space>\s+)|`(?:\\.|[^`\\])+`|\$\{(?:[^{}]|\$\{[^{}]*\})*\}|\\.|./gs;

/**
 * Splits a command into its arguments as `splitWords` does, but before its values are put in: what stands in single
 * quotes is told apart, and a variable or a command in backticks is part of one argument, spaces included.
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

/** Joined to the text before it: an escape or a name may reach over the pieces. */
function addText(parts: ArgumentPart[], text: string): void {
  const last = parts.at(-1);
  if (last === undefined || last.isLiteral) parts.push({ text, isLiteral: false });
  else parts.splice(-1, 1, { text: last.text + text, isLiteral: false });
}
