import { findTopLines } from './scan-shell.ts';
import type { ScriptSections } from './split-sections.ts';

/**
 * Finds changes in a section that later sections rely on but that end with its process. Returns one sentence for each.
 */
export function findCrossSectionChanges({ steps, preamble }: ScriptSections): string[] {
  const shared = setVariables(preamble);
  const readLater = new Set<string>();
  const notes: string[][] = [];
  // From the last section on, so that each is read once.
  for (const [index, { title, text }] of [...steps.entries()].toReversed()) {
    const names = [...setVariables(text)].filter((name) => !shared.has(name) && readLater.has(name));
    notes.push([
      ...names.map(
        (name) =>
          `"${title}" sets ${name}, which a later step reads. Print the value and use "output: ${name}".`,
      ),
      ...(changesDirectory(text) && index < steps.length - 1
        ? [`"${title}" changes the directory, which has no effect on later steps. Set "dir" there.`]
        : []),
    ]);
    for (const name of readVariables(text)) readLater.add(name);
  }
  return notes.toReversed().flat();
}

function setVariables(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/(?:^|[;\s])(?:export\s+|readonly\s+)?([A-Za-z_]\w*)=/gm)].map(([, name]) => name!),
  );
}

const readVariables = (text: string): string[] =>
  [...text.matchAll(/\$(?:\{[#!]?)?([A-Za-z_]\w*)/g)].map(([, name]) => name!);

/** Whether a section changes the directory at its top level; in a subshell, the change ends with it. */
function changesDirectory(text: string): boolean {
  const isTop = findTopLines(text);
  return text.split('\n').some((line, index) => isTop[index] && /^(?:cd|pushd)\s/.test(line));
}
