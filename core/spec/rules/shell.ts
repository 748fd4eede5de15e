import type { Report } from '../source/report.ts';
import { splitWords } from '../split-words.ts';
import { textOf, type Place, type SourceNode } from '../source/source-node.ts';

/** Longest command line of a shell; more is a script in the wrong place. */
const MAX_SHELL_LENGTH = 4096;

/** Reads `shell`: a text is split into words, a list is taken as it is (seed 1, DAG spec). */
export function readShell(place: Place | undefined, report: Report): string[] | undefined {
  if (place === undefined) return undefined;
  const { node } = place;
  const text = textOf(node);
  if (text.length > MAX_SHELL_LENGTH) {
    report.error(
      place,
      `"shell" has more than ${MAX_SHELL_LENGTH} characters. Name the shell here, and put commands in "command" or "script".`,
    );
    return undefined;
  }
  const words = readShellWords(node);
  if (words[0]) return words;
  report.error(place, '"shell" is empty. Name a program such as "bash", or remove it.');
  return undefined;
}

/** Program and arguments. */
export const readShellWords = (node: SourceNode): string[] =>
  node.kind === 'list' ? node.items.map(textOf) : splitWords(textOf(node));
