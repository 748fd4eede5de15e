/**
 * Splits a text into words at white space. Quotes hold a word together: in single quotes everything
 * stands for itself, in double quotes `\"` and `\\` stand for `"` and `\`. A quote that is not closed
 * stands for itself. Nothing is expanded.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  const pattern = /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\]|["'\\])+/gs;
  for (const [word] of text.matchAll(pattern)) words.push(unquote(word));
  return words;
}

function unquote(word: string): string {
  return word.replaceAll(/"((?:\\.|[^"\\])*)"|'([^']*)'/gs, (_whole, double?: string, single?: string) =>
    double === undefined ? (single ?? '') : double.replaceAll(/\\(["\\])/g, '$1'),
  );
}
