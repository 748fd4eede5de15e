import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPage, root } from './read-page.ts';

const { version } = JSON.parse(readPage('package.json').text) as { version: string };
const deployed = readdirSync(join(root, 'docs/deploy')).map((name) => `docs/deploy/${name}`);

it.each(['docs/distributed.md', ...deployed])('%s names the image of this version, if any', (path) => {
  const images = readPage(path).text.match(/stepwright:\d[\w.-]*/g) ?? [];
  expect(images.filter((image) => image !== `stepwright:${version}`)).toEqual([]);
});

it('the status in README.md is that of this version', () => {
  expect(readPage('README.md').text).toContain(`Version ${version.replace(/\.\d+$/, '')}.`);
});
