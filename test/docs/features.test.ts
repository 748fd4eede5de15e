import { describe, expect, it } from 'vitest';
import { webhookEvents } from '../../core/webhooks/catalog/catalog.ts';
import { hasTest, listLinks, listProofs, splitRow, type ProofLink } from './proofs.ts';
import { listPages, readCodeSpans, readPage } from './read-page.ts';

const index = readPage('docs/features.md');
const pages = listPages().filter(({ path }) => path.startsWith('docs/features/'));

const rows = pages.flatMap((page) => listProofs(page));

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
        const [{ text, target }] = listLinks(section!, index.path) as [ProofLink];
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
