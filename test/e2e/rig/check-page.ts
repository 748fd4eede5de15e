import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { ROOT } from './test-home.ts';

/**
 * Screenshots of every page, for people to look at (`PICTURES=true npm test -- …`); nothing compares them.
 */
const PICTURES = path.join(ROOT, 'test-results/pages');
const withPictures = process.env['PICTURES'] === 'true';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

/**
 * Scans the page; takes screenshots of it in every size if requested.
 * @param theme the current theme of the page; by default the page, which follows the system, is scanned in
 * both and left in the light one: a state that is slow to reach need not be reached twice
 */
export async function checkPage(page: Page, name: string, theme?: Theme): Promise<void> {
  if (theme) return examineTheme(page, name, theme);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    await examineTheme(page, name, colorScheme);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

async function examineTheme(page: Page, name: string, theme: Theme): Promise<void> {
  if (withPictures) await takeScreenshots(page, name, theme);
  await settle(page);
  expect.soft(await findViolations(page, theme), `${name}, ${theme}`).toEqual([]);
}

async function takeScreenshots(page: Page, name: string, theme: Theme): Promise<void> {
  for (const size of sizes.toReversed()) {
    await page.setViewportSize(size);
    await settle(page);
    const file = path.join(PICTURES, `${name}-${theme}-${size.width}.png`);
    await page.screenshot({ path: file });
  }
}

/** The graph fits itself to a new size, and new or recoloured elements fade; scans wait for that. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    for (const animation of document.getAnimations())
      if (animation instanceof CSSTransition && animation.playState === 'running') animation.finish();
  });
}

/** Serious and critical violations, one line per element. */
async function findViolations(page: Page, theme: Theme): Promise<string[]> {
  // Passes are not reported, and no page has frames, for which axe would open another page: a third of the
  // time.
  const builder = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  // The announcer refers to dialogs by their headings, which may be removed by now; that is up to the
  // library.
  builder.exclude('[data-live-announcer]');
  // Only colours differ between the themes.
  if (theme === 'dark') builder.withRules(['color-contrast']);
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
