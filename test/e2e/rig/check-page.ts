import path from 'node:path';
import axe, { type RunOptions } from 'axe-core';
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

/** Selectors of what is scanned. */
interface Part {
  readonly include: string[][];
  readonly exclude: string[][];
}

interface AuditRule {
  readonly id: string;
  readonly enabled: boolean;
  readonly impact: string;
  readonly tags: readonly string[];
}

const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

/**
 * Scans the page, which follows the system theme, in both themes, and leaves it in the light one; takes
 * screenshots of it in every size if requested.
 * @param region selector of the part to be scanned, such as a dialog over a page that is scanned itself
 */
export async function checkPage(page: Page, name: string, region = 'html'): Promise<void> {
  // To load it costs as much as a scan: once for each document.
  const isFirst = await page.evaluate(() => !('axe' in window));
  if (isFirst) await page.evaluate(axe.source);
  const part = {
    include: [[region]],
    // The announcer refers to dialogs by their headings, which may be removed by now; that is up to the
    // library. The navigation is the same on every page.
    exclude: [['[data-live-announcer]'], ...(isFirst ? [] : [['nav[aria-label="Main"]']])],
  };
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    if (withPictures) await takeScreenshots(page, name, theme);
    await settle(page);
    expect.soft(await findViolations(page, part, rules[theme]), `${name}, ${theme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
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
const findViolations = (page: Page, part: Part, ids: readonly string[]): Promise<string[]> =>
  page.evaluate(
    async ([context, runOnly]) => {
      // By default every checked element is described, not only those with a violation.
      window.axe.configure({ noHtml: true });
      // No page has frames, or media to preload.
      const options: RunOptions = { runOnly, resultTypes: ['violations'], iframes: false, preload: false };
      const { violations } = await window.axe.run(context, options);
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
    },
    [part, [...ids]] as [Part, string[]],
  );

/** The published type lacks the impact of a rule, which is that of its violations. */
const { _audit: audit } = axe as unknown as { readonly _audit: { readonly rules: readonly AuditRule[] } };
const severe = audit.rules
  .filter(
    ({ enabled, impact, tags }) =>
      enabled && /serious|critical/.test(impact) && !tags.includes('experimental'),
  )
  .map(({ id }) => id);

/** Only colours differ between the themes. */
const rules: Record<Theme, readonly string[]> = { light: severe, dark: ['color-contrast'] };
