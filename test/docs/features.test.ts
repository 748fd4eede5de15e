import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { webhookEvents } from '../../core/webhooks/catalog/catalog.ts';
import { listPages, readCodeSpans, readPage, root, type Page } from './read-page.ts';

const index = readPage('docs/features.md');
const pages = listPages().filter(({ path }) => path.startsWith('docs/features/'));

/** A row of a page of features: what there is, then where, then the tests that prove it. */
interface Row {
  readonly page: string;
  readonly section: string;
  readonly what: string;
  readonly where: readonly Link[];
  readonly tests: readonly Link[];
}

interface Link {
  readonly text: string;
  /** Relative to the repository root, with its anchor. */
  readonly target: string;
}

/** The links of a cell; what Markdown needs a backslash for has lost it. */
const listLinks = (cell: string, from: string): Link[] =>
  [...cell.matchAll(/(?<!\\)\[((?:\\.|[^\\\]])*)\]\(([^)\s]+)\)/g)].map(([, text, address]) => ({
    text: text!.replaceAll(/\\(.)/g, '$1'),
    target: normalize(join(dirname(from), address!)),
  }));

const splitRow = (row: string): string[] =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

function listRows({ path, text }: Page): Row[] {
  return text
    .split(/^## /m)
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

const rows = pages.flatMap(listRows);

/** Whether a file has a test, or a conformance case, of exactly this title. */
function hasTest({ text, target }: Link): boolean {
  const source = readFileSync(join(root, target), 'utf8');
  if (target.endsWith('cases.yaml')) return source.split('\n').includes(`- case: ${text}`);
  return ["'", '"', '`'].some((quote) => source.includes(quote + text + quote));
}

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

describe('the pages of features', () => {
  it.each(pages)('have a file and a test in each row: $path', ({ path }) => {
    const incomplete = rows
      .filter(({ page }) => page === path)
      .filter(({ where, tests }) => where.length === 0 || tests.length === 0);
    expect(incomplete.map(({ what }) => what)).toEqual([]);
  });

  it.each(pages)('name tests that there are: $path', ({ path }) => {
    const links = rows.filter(({ page }) => page === path).flatMap(({ tests }) => tests);
    expect(links.filter(({ target }) => !target.startsWith('test/'))).toEqual([]);
    expect(links.filter((link) => !hasTest(link))).toEqual([]);
  });

  it('are counted in the index, section by section', () => {
    const counted = new Map<string, number>();
    for (const { page, section } of rows) {
      const key = `${section}: ${page}#${anchorOf(section)}`;
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
    const stated = index.text
      .split('\n')
      .filter((line) => line.startsWith('| ['))
      .map((line) => {
        const [section, count] = splitRow(line);
        const [{ text, target }] = listLinks(section!, index.path) as [Link];
        return [`${text}: ${target}`, Number(count)] as const;
      });
    expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(counted));
    expect(Number(/\*\*(\d+) rows\*\*/.exec(index.text)?.[1])).toBe(rows.length);
  });

  it('have every event of the catalog, in its order', () => {
    const events = rows.filter(({ page, section }) => page.endsWith('/webhooks.md') && section === 'Events');
    expect(events.flatMap(({ what }) => readCodeSpans(what))).toEqual(webhookEvents.map(({ name }) => name));
  });
});
