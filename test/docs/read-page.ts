import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** A documentation page. */
export interface Page {
  /** Relative to the repository root. */
  readonly path: string;
  readonly text: string;
}

/** Every handwritten page: at the root, in `docs`, `docs/executors` and `docs/adr`. */
export function listPages(): Page[] {
  const paths = ['.', 'docs', 'docs/executors', 'docs/adr'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => (folder === '.' ? name : `${folder}/${name}`)),
  );
  return paths.sort().map(readPage);
}

export const readPage = (path: string): Page => ({ path, text: readFileSync(join(root, path), 'utf8') });

/** A fenced block of code. */
export interface CodeBlock {
  /** The info string: the language, then flags such as `run` or `file=hello.yaml`. */
  readonly language: string;
  readonly marks: readonly string[];
  readonly text: string;
  /** Line of the opening fence, 1-based. */
  readonly line: number;
  /** The following `text` block: expected output or diagnostics. */
  readonly expected: string | undefined;
}

/** The blocks of a page in order; a `text` block is also the expectation of the previous block. */
export function listCodeBlocks({ text }: Page): CodeBlock[] {
  const fences = [...text.matchAll(/^```([^\n`]*)\n(.*?)^```$/gms)];
  const blocks = fences.map((match) => {
    const [language = '', ...marks] = match[1]!.trim().split(/\s+/);
    return { language, marks, text: match[2]!, line: text.slice(0, match.index).split('\n').length };
  });
  return blocks.map((block, index) => {
    const next = blocks[index + 1];
    return { ...block, expected: next?.language === 'text' ? next.text : undefined };
  });
}

/** The YAML blocks of all pages, with their location. */
export const listYamlBlocks = (): (CodeBlock & { readonly source: string })[] =>
  listPages().flatMap((page) =>
    listCodeBlocks(page)
      .filter(({ language }) => language === 'yaml')
      .map((block) => ({ ...block, source: `${page.path}:${block.line}` })),
  );

/** Whether a block is a base configuration instead of a workflow. */
export const isBase = ({ marks }: CodeBlock): boolean => marks.includes('base');

/** The page without its fenced blocks, for links, anchors and tables. */
export const withoutCode = ({ text }: Page): string => text.replaceAll(/^```[^\n]*\n.*?^```$/gms, '');

/** The rows of the first table below a heading, without its header; cells trimmed, `\|` unescaped. */
export function readTable(page: Page, heading: string): string[][] {
  const text = withoutCode(page);
  const start = text.search(new RegExp(`^#+ ${heading.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, 'm'));
  if (start < 0) throw new Error(`${page.path} has no heading "${heading}"`);
  const table = /^\|.*\n\|[-:| ]+\|\n((?:\|.*\n)+)/m.exec(text.slice(start));
  if (!table) throw new Error(`${page.path} has no table below "${heading}"`);
  return table[1]!.trimEnd().split('\n').map(splitRow);
}

function splitRow(row: string): string[] {
  const cells = row.slice(1, -1).split(/(?<!\\)\|/);
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** The text in the code spans of a cell. */
export const readCodeSpans = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
