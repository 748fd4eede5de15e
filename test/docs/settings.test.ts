import { expect, it } from 'vitest';
import { navigationItems } from '../../renderer/navigation/navigation-items.ts';
import { readPage } from './read-page.ts';

it.each(navigationItems)('docs/settings.md documents the key of the page $label', ({ key }) => {
  const row = readPage('docs/settings.md')
    .text.split('\n')
    .find((line) => line.startsWith('| `G` and a letter |'));
  expect(row).toContain(`\`${key.toUpperCase()}\``);
});
