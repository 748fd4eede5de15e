import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listPages, readPage, root, withoutCode, type Page } from './read-page.ts';

const pages = listPages();

/** Link and image targets of a page, relative to the repository root; `anchor` may be empty. */
function listLinks(page: Page): { target: string; anchor: string }[] {
  const text = withoutCode(page).replaceAll(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, address]) => address!)
    .filter((address) => !/^[a-z]+:/.test(address))
    .map((address) => {
      const [path = '', anchor = ''] = address.split('#');
      return { target: path === '' ? page.path : normalize(join(dirname(page.path), path)), anchor };
    });
}

/** The anchors that GitHub generates for the headings of a page. */
function listAnchors(page: Page): string[] {
  return [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .replaceAll(/[`*]/g, '')
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isDead({ target, anchor }: { target: string; anchor: string }): boolean {
  if (!existsSync(join(root, target))) return true;
  return anchor !== '' && !listAnchors(readPage(target)).includes(anchor);
}

describe('links in the documentation', () => {
  it.each(pages)('have existing targets: $path', (page) => {
    expect(listLinks(page).filter(isDead)).toEqual([]);
  });

  it('reach every page of docs from its index', () => {
    const indexes = ['docs/README.md', 'docs/adr/README.md', 'docs/executors/README.md'].map(readPage);
    const linked = indexes.flatMap(listLinks).map(({ target }) => target);
    const all = pages
      .map(({ path }) => path)
      .filter((path) => path.startsWith('docs/') && path !== 'docs/README.md');
    expect(all.filter((path) => !linked.includes(path))).toEqual([]);
  });
});

describe('images in the documentation', () => {
  const folder = join(root, 'docs/images');
  const shown = pages.flatMap((page) => listLinks(page).map(({ target }) => target));

  const [films, pictures] = [true, false].map((isFilm) =>
    readdirSync(folder).filter((name) => name.endsWith('.webp') === isFilm),
  );

  it.each(films!)(
    'animations exist, with the aspect ratio of the default window and a limited size: %s',
    (name) => {
      const file = join(folder, name);
      const header = readFileSync(file).subarray(0, 30);
      expect(header.toString('latin1', 8, 16)).toBe('WEBPVP8X');
      // Of the canvas, less one.
      const [width, height] = [header.readUIntLE(24, 3) + 1, header.readUIntLE(27, 3) + 1];
      expect(width / height).toBe(1280 / 800);
      expect(statSync(file).size).toBeLessThanOrEqual(1_000_000);
      expect(shown).toContain(`docs/images/${name}`);
    },
  );

  it.each(pictures!)('exist, with the size of the default window and a limited file size: %s', (name) => {
    const file = join(folder, name);
    // The header of a PNG: width and height are the first fields of its first chunk.
    const header = readFileSync(file).subarray(16, 24);
    expect([header.readUInt32BE(0), header.readUInt32BE(4)]).toEqual([1280, 800]);
    expect(statSync(file).size).toBeLessThanOrEqual(300_000);
    expect(shown).toContain(`docs/images/${name}`);
  });
});
