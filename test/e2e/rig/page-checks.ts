import { expect, type Page } from '@playwright/test';

/** Goes to a page by its address, as a link from elsewhere does. */
export async function goToHash(page: Page, hash: string): Promise<void> {
  await page.evaluate((wanted) => {
    location.hash = wanted;
  }, hash);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
}

/** Boxes that stick out of the window sideways, and pages that would have to be scrolled sideways to be read. */
export const findSidewaysScroll = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const name = (element: Element): string => `${element.localName}.${[...element.classList].join('.')}`;
    // A table, a graph, a log or a piece of code may scroll by itself (WCAG 1.4.10 excepts what needs two dimensions).
    const mayScroll = 'table, [role=log], pre, [role=grid], [role=group], [role=tablist], svg, canvas';
    return [...document.querySelectorAll('main, main header, main header *, h1')]
      .filter((element) => !element.closest(mayScroll) && element.getClientRects().length > 0)
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map(name);
  });

/** Begins to add up how far the page moves by itself; the answer reads the sum (CLS of the Web Vitals). */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
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

/** What moves without end at present. */
export const findEndlessMotion = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === 'running' && effect?.getComputedTiming().iterations === Infinity,
      )
      .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : animation.id)),
  );
