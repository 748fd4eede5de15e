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

/** Navigates to a page by URL, as an external link does. */
export async function goToHash(page: Page, hash: string): Promise<void> {
  await page.evaluate((expected) => {
    location.hash = expected;
  }, hash);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
}

/** Boxes that overflow the window horizontally, and pages that need horizontal scrolling. */
export const findHorizontalOverflow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const name = (element: Element): string => `${element.localName}.${[...element.classList].join('.')}`;
    // A table, a graph, a log or code may scroll by itself (WCAG 1.4.10 excepts two-dimensional content).
    const mayScroll = 'table, [role=log], pre, [role=grid], [role=group], [role=tablist], svg, canvas';
    return [...document.querySelectorAll('main, main header, main header *, h1')]
      .filter((element) => !element.closest(mayScroll) && element.getClientRects().length > 0)
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .filter((element) => {
        // Truncated text has a full tooltip.
        let ancestor = element.parentElement;
        while (ancestor && getComputedStyle(ancestor).textOverflow !== 'ellipsis')
          ancestor = ancestor.parentElement;
        return !ancestor || ancestor.getBoundingClientRect().right > innerWidth + 1;
      })
      .map(name);
  });

/**
 * Starts to sum the layout shift of the page; the returned function reads the sum (CLS of the Web Vitals).
 */
export async function measureLayoutShift(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const sum = { value: 0 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        readonly value: number;
        readonly hadRecentInput: boolean;
      })[])
        if (!entry.hadRecentInput) sum.value += entry.value;
    }).observe({ type: 'layout-shift' });
    Object.assign(window, { shifts: sum });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: { value: number } }).shifts.value);
}

/** Animations without end. */
export const findInfiniteAnimations = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === 'running' && effect?.getComputedTiming().iterations === Infinity,
      )
      .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : animation.id)),
  );

/**
 * Controls that are partly outside the visible or scrollable area. Truncated names, and elements on a canvas
 * that pans, are ignored.
 */
export const findClippedControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls = 'button, a[href], input, select, textarea, [role=tab], [role=radio]';
    const moves = '[role=group][aria-label^="Graph of"], [data-canvas], .visually-hidden, [inert]';
    const isInside = (inner: DOMRect, outer: DOMRect, side: 'x' | 'y'): boolean =>
      side === 'x'
        ? inner.left >= outer.left - 1 && inner.right <= outer.right + 1
        : inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
    const whole = new DOMRect(0, 0, innerWidth, innerHeight);
    const isReachable = (control: Element, side: 'x' | 'y'): boolean => {
      let box = control.getBoundingClientRect();
      for (let ancestor = control.parentElement; ancestor; ancestor = ancestor.parentElement) {
        const { overflowX, overflowY, textOverflow } = getComputedStyle(ancestor);
        const overflow = side === 'x' ? overflowX : overflowY;
        if (overflow === 'visible') continue;
        if (side === 'x' && textOverflow === 'ellipsis') return true;
        const outer = ancestor.getBoundingClientRect();
        // Made this small on purpose: another element is seen and pressed instead.
        if (outer.width <= 1 && outer.height <= 1) return true;
        if (overflow === 'auto' || overflow === 'scroll') box = outer;
        else if (!isInside(box, outer, side)) return false;
      }
      return isInside(box, whole, side);
    };
    return [...document.querySelectorAll(controls)]
      .filter((control) => !control.closest(moves) && control.checkVisibility({ visibilityProperty: true }))
      .filter((control) => {
        const { width, height } = control.getBoundingClientRect();
        return width > 1 && height > 1;
      })
      .filter((control) => !isReachable(control, 'x') || !isReachable(control, 'y'))
      .map((control) => {
        const { left, top, right, bottom } = control.getBoundingClientRect();
        const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? '';
        return `${control.localName} "${name.slice(0, 40)}" at ${[left, top, right, bottom].map(Math.round).join(' ')}`;
      });
  });
