import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { ROOT } from './test-home.ts';

/** Pictures of every page, for people to look at (`PICTURES=true npm test -- …`); nothing compares them. */
const PICTURES = path.join(ROOT, 'test-results/pages');
const withPictures = process.env['PICTURES'] === 'true';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

/**
 * Has the page examined; takes pictures of it in every size where they are wished for.
 * @param theme the one the page is in; without it the page, which follows the system, is examined in both and left in
 * the light one: a state that took long to reach need not be reached twice
 */
export async function examine(page: Page, name: string, theme?: Theme): Promise<void> {
  if (theme) return examineTheme(page, name, theme);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    await examineTheme(page, name, colorScheme);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

async function examineTheme(page: Page, name: string, theme: Theme): Promise<void> {
  if (withPictures) await takePictures(page, name, theme);
  await settle(page);
  expect.soft(await findViolations(page, theme), `${name}, ${theme}`).toEqual([]);
}

async function takePictures(page: Page, name: string, theme: Theme): Promise<void> {
  for (const size of sizes.toReversed()) {
    await page.setViewportSize(size);
    await settle(page);
    const file = path.join(PICTURES, `${name}-${theme}-${size.width}.png`);
    await page.screenshot({ path: file });
  }
}

/** The graph fits itself to a new size, and what has just opened or changed its colour fades; nobody is to judge it in mid-air. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    for (const animation of document.getAnimations())
      if (animation instanceof CSSTransition && animation.playState === 'running') animation.finish();
  });
}

/** Serious and critical violations, one line each element. */
async function findViolations(page: Page, theme: Theme): Promise<string[]> {
  // Nobody reads what is in order, and no page has frames, for which it would sum up in a further page: a third of the time.
  const builder = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  // The announcer names dialogs by their headings, which may be gone by now; it is a matter of the library.
  builder.exclude('[data-live-announcer]');
  // Only colours differ between the themes.
  if (theme === 'dark') builder.withRules(['color-contrast']);
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
