import { findTopLines } from './scan-shell.ts';
import type { SplitScript } from './split-sections.ts';

/** What sections hand to later ones in a way that ends with their process: a sentence for each. */
export function findCrossings({ steps, preamble }: SplitScript): string[] {
  const shared = namesSet(preamble);
  return steps.flatMap(({ title, text }, index) => {
    const later = steps.slice(index + 1);
    const names = [...namesSet(text)].filter(
      (name) => !shared.has(name) && later.some((section) => readsName(section.text, name)),
    );
    return [
      ...names.map(
        (name) =>
          `"${title}" sets ${name}, which a later step reads: print it there and keep it with "output: ${name}".`,
      ),
      ...(changesFolder(text) && later.length > 0
        ? [`"${title}" changes the directory, which the later steps do not see: give them "dir".`]
        : []),
    ];
  });
}

function namesSet(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/(?:^|[;\s])(?:export\s+|readonly\s+)?([A-Za-z_]\w*)=/gm)].map(([, name]) => name!),
  );
}

const readsName = (text: string, name: string): boolean =>
  new RegExp(String.raw`\$(?:\{[#!]?${name}\b|${name}\b)`).test(text);

/** At the top level of the text; inside of brackets a directory is left again. */
function changesFolder(text: string): boolean {
  const isTop = findTopLines(text);
  return text.split('\n').some((line, index) => isTop[index] && /^(?:cd|pushd)\s/.test(line));
}
