import { readFileSync, existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, type Page, readPage } from './read-page.ts';

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
function listProofs({ path, text }: Page, heading: '## ' | '### ' = '## '): ProofRow[] {
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
function hasTest({ text, target }: ProofLink): boolean {
  const source = readFileSync(join(root, target), 'utf8');
  if (target.endsWith('cases.yaml')) return source.split('\n').includes(`- case: ${text}`);
  return ["'", '"', '`'].some((quote) => source.includes(quote + text + quote));
}

const rules = listProofs(readPage('docs/threat-model.md'), '### ');

describe('docs/threat-model.md', () => {
  it('has a file and a test for each rule', () => {
    expect(rules.length).toBeGreaterThan(35);
    expect(rules.filter(({ where, tests }) => where.length === 0 || tests.length === 0)).toEqual([]);
    const files = rules.flatMap(({ where }) => where.map(({ target }) => target));
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('names existing tests', () => {
    const named = rules.flatMap(({ tests }) => tests);
    expect(named.filter((link) => !hasTest(link))).toEqual([]);
  });
});

it('the lint rules that forbid eval are on, and never disabled', () => {
  const rulesOn = readFileSync(join(root, 'oxlint.config.ts'), 'utf8');
  for (const rule of ['eslint/no-eval', 'eslint/no-new-func'])
    expect(rulesOn).toContain(`'${rule}': 'error'`);
  const sources = ['core', 'main', 'preload', 'renderer'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  expect(sources.length).toBeGreaterThan(500);
  const evading = sources.filter((file) =>
    /oxlint-disable[^\n]*no-(eval|new-func)/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(evading).toEqual([]);
});
