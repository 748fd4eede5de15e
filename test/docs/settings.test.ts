import { expect, it } from 'vitest';
import { allPlaces } from '../../renderer/app/places.ts';
import { readPage } from './read-page.ts';

it.each(allPlaces)('docs/settings.md names the key of the page $label', ({ key }) => {
  const row = readPage('docs/settings.md')
    .text.split('\n')
    .find((line) => line.startsWith('| `G` and a letter |'));
  expect(row).toContain(`\`${key.toUpperCase()}\``);
});
