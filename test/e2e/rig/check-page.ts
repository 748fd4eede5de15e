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
    readonly axe: typeof axe & AxeInternals;
  }
}

/** What the published types lack. */
interface AxeInternals {
  readonly _audit: {
    readonly rules: readonly AuditRule[];
    readonly checks: Record<string, { evaluate: Evaluate; readonly options: object }>;
  };
  /** During a scan: the elements, with what axe keeps about them. */
  readonly _tree: readonly VirtualNode[];
}

interface AuditRule {
  readonly id: string;
  readonly enabled: boolean;
  /** That of its violations. */
  readonly impact: string;
  readonly tags: readonly string[];
}

type Evaluate = (this: unknown, node: Element, ...rest: unknown[]) => boolean | undefined;

interface VirtualNode {
  readonly children: readonly VirtualNode[];
  readonly _cache: Record<string, unknown>;
}

const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

/**
 * Scans the page, which follows the system theme, in the light theme, and its contrasts in the dark one as well; takes
 * screenshots of it in both themes and every size if requested.
 * @param region selector of the part to be scanned, such as a dialog over a page that is scanned itself
 */
export async function checkPage(page: Page, name: string, region = 'html'): Promise<void> {
  // To load it costs as much as a scan: once for each document.
  const isFirst = await page.evaluate(() => !('axe' in window));
  if (isFirst) {
    await page.evaluate(axe.source);
    await page.evaluate(addDarkContrast, DARK_CONTRAST);
  }
  if (withPictures) await takeScreenshots(page, name);
  await page.emulateMedia({ colorScheme: 'light' });
  await settle(page);
  expect.soft(await findViolations(page, region, isFirst), name).toEqual([]);
}

async function takeScreenshots(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const size of sizes.toReversed()) {
      await page.setViewportSize(size);
      await settle(page);
      const file = path.join(PICTURES, `${name}-${theme}-${size.width}.png`);
      await page.screenshot({ path: file });
    }
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

/** A rule of these tests. */
const DARK_CONTRAST = 'color-contrast-dark';

/** Refers to dialogs by their headings, which may be removed by now; that is up to the library. */
const ANNOUNCER = '[data-live-announcer]';
const NAVIGATION = 'nav[aria-label="Main"]';

/**
 * In the page: adds a rule that repeats the contrast check in the dark theme, after all other rules. Only colours differ
 * between the themes, so what a scan knows about the layout is kept, which is most of its work.
 */
function addDarkContrast(id: string): void {
  const { style } = document.documentElement;
  const { _audit: audit } = window.axe;
  const contrast = audit.checks['color-contrast']!;
  const checked = new Set<Element>();
  const evaluate = contrast.evaluate;
  contrast.evaluate = function (node, ...rest) {
    checked.add(node);
    return evaluate.call(this, node, ...rest);
  };
  const forgetColours = (node: VirtualNode): void => {
    const { _cache: cache, children } = node;
    delete cache['computedStyle_background-color'];
    delete cache['getBackgroundColor'];
    Object.assign(node, { _stackingContext: undefined });
    children.forEach(forgetColours);
  };
  const switchToDark = (): void => {
    style.colorScheme = 'dark';
    for (const animation of document.getAnimations())
      if (animation instanceof CSSTransition) animation.finish();
    const { _tree: tree } = window.axe;
    tree.forEach(forgetColours);
  };
  const evaluateInDark: Evaluate = function (node, ...rest) {
    if (style.colorScheme !== 'dark') switchToDark();
    return evaluate.call(this, node, ...rest);
  };
  window.axe.configure({
    // By default every checked element is described, not only those with a violation.
    noHtml: true,
    checks: [{ id, evaluate: evaluateInDark, options: contrast.options }],
    rules: [
      {
        id,
        selector: '*',
        excludeHidden: false,
        matches: (node: Element) => checked.delete(node),
        any: [id],
      },
    ],
  });
}

/** Serious and critical violations, one line per element. The navigation is the same on every page. */
export const findViolations = (page: Page, region = 'html', withNavigation = false): Promise<string[]> =>
  page.evaluate(
    async ([include, exclude, runOnly]) => {
      const context = { include: [[include]], exclude: exclude.map((one) => [one]) };
      // No page has frames, or media to preload.
      const options: RunOptions = { runOnly, resultTypes: ['violations'], iframes: false, preload: false };
      const { violations } = await window.axe.run(context, options);
      document.documentElement.style.colorScheme = '';
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
    },
    [region, withNavigation ? [ANNOUNCER] : [ANNOUNCER, NAVIGATION], [...severe, DARK_CONTRAST]] as [
      string,
      string[],
      string[],
    ],
  );

const { _audit: ownAudit } = axe as unknown as AxeInternals;
const severe = ownAudit.rules
  .filter(
    ({ enabled, impact, tags }) =>
      enabled && /serious|critical/.test(impact) && !tags.includes('experimental'),
  )
  .map(({ id }) => id);

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
