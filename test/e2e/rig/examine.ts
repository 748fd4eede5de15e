import path from 'node:path';
import axe from 'axe-core';
import { expect, type Page } from '@playwright/test';
import { ROOT } from './test-home.ts';

/**
 * Screenshots of every page, for people to look at (`PICTURES=true npm test -- …`); nothing compares them.
 */
const PICTURES = path.join(ROOT, 'test-results/pages');
const withPictures = process.env['PICTURES'] === 'true';

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/** A rule as known to axe; its published type lacks the impact. */
interface AuditRule {
  readonly id: string;
  readonly enabled: boolean;
  readonly impact: string;
}

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
  // To load it costs as much as a scan: once for each document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (rules) => {
    // By default every checked element is described, not only those with a violation.
    window.axe.configure({ noHtml: true });
    // The announcer refers to dialogs by their headings, which may be removed by now; that is up to the
    // library.
    const { violations } = await window.axe.run(
      { exclude: [['[data-live-announcer]']] },
      // No page has frames, or media to preload.
      { runOnly: [...rules], resultTypes: ['violations'], iframes: false, preload: false },
    );
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  }, rules[theme]);
}

/** The impact of a rule is that of its violations. */
const severeRules = (
  axe as unknown as { readonly _audit: { readonly rules: readonly AuditRule[] } }
)._audit.rules
  .filter(({ enabled, impact }) => enabled && (impact === 'serious' || impact === 'critical'))
  .map(({ id }) => id);

/** Only colours differ between the themes. */
const rules: Record<Theme, readonly string[]> = { light: severeRules, dark: ['color-contrast'] };
