import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root, type Page } from './read-page.ts';

/** A row of a page: a rule, its location, and the tests that prove it. */
interface ProofRow {
  readonly page: string;
  readonly section: string;
  readonly what: string;
  readonly where: readonly ProofLink[];
  readonly tests: readonly ProofLink[];
}

interface ProofLink {
  readonly text: string;
  /** Relative to the repository root, with its anchor. */
  readonly target: string;
}

/** The links of a cell, without Markdown escapes. */
const listLinks = (cell: string, from: string): ProofLink[] =>
  [...cell.matchAll(/(?<!\\)\[((?:\\.|[^\\\]])*)\]\(([^)\s]+)\)/g)].map(([, text, address]) => ({
    text: text!.replaceAll(/\\(.)/g, '$1'),
    target: normalize(join(dirname(from), address!)),
  }));

const splitRow = (row: string): string[] =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** @param heading prefix of the headings of sections with such tables */
export function listProofs({ path, text }: Page, heading: '## ' | '### ' = '## '): ProofRow[] {
  return text
    .split(new RegExp(`^${heading}`, 'm'))
    .slice(1)
    .flatMap((part) => {
      const section = part.slice(0, part.indexOf('\n'));
      const lines = part.split('\n').filter((line) => line.startsWith('| '));
      return lines.slice(1).map((line) => {
        const cells = splitRow(line);
        const [where, tests] = cells.slice(-2).map((cell) => listLinks(cell, path));
        return { page: path, section, what: cells[0]!, where: where!, tests: tests! };
      });
    });
}

/** Whether a file has a test or a conformance case with exactly this title. */
export function hasTest({ text, target }: ProofLink): boolean {
  const source = readFileSync(join(root, target), 'utf8');
  if (target.endsWith('cases.yaml')) return source.split('\n').includes(`- case: ${text}`);
  return ["'", '"', '`'].some((quote) => source.includes(quote + text + quote));
}
