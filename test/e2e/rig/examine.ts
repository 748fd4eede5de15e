import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { ROOT } from './workplace.ts';

/** Pictures of every page, for people to look at; nothing compares them. */
const PICTURES = path.join(ROOT, 'test-results/pages');

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

/** Takes pictures of the page in every size and has it examined. */
export async function examine(page: Page, name: string, theme: Theme): Promise<void> {
  for (const size of sizes.toReversed()) {
    await page.setViewportSize(size);
    // The graph fits itself to a new size; a picture of a card in mid-air helps nobody.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    const file = path.join(PICTURES, `${name}-${theme}-${size.width}.png`);
    await page.screenshot({ path: file });
  }
  expect.soft(await findViolations(page, theme), `${name}, ${theme}`).toEqual([]);
}

/** Serious and critical violations, one line each element. */
async function findViolations(page: Page, theme: Theme): Promise<string[]> {
  // The announcer names dialogs by their headings, which may be gone by now; it is a matter of the library.
  const builder = new AxeBuilder({ page }).exclude('[data-live-announcer]');
  // Only colours differ between the themes.
  if (theme === 'dark') builder.withRules(['color-contrast']);
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
