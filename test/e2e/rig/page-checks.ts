import { expect, type Page } from '@playwright/test';

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
