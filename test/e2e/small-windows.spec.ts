import { expect, type Page } from '@playwright/test';
import { paths } from '../../renderer/navigation/address.ts';
import { navigationItems } from '../../renderer/navigation/navigation-items.ts';
import { sharedTest as test } from './rig/browser-test.ts';
import { findHorizontalOverflow, goToHash } from './rig/check-page.ts';

/** Users and tokens are shown only with sign-in. */
const visible = navigationItems.filter(({ needs }) => needs !== 'users' && needs !== 'tokens');

/** Sides at which the focus ring of the focused element is cut by a scroll area around it. */
const findCutSides = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const focused = document.activeElement!;
    const { outlineWidth, outlineOffset } = getComputedStyle(focused);
    const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
    const { left, top, right, bottom } = focused.getBoundingClientRect();
    const sides = new Set<string>();
    for (let around = focused.parentElement; around; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const area = around.getBoundingClientRect();
      if (left - ring < area.left) sides.add('left');
      if (right + ring > area.right) sides.add('right');
      if (top - ring < area.top) sides.add('top');
      if (bottom + ring > area.bottom) sides.add('bottom');
    }
    return [...sides];
  });

test('every page fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const places = [
    ...visible.map(({ href }) => href),
    paths.newWorkflow(),
    paths.newWorkflow('crontab'),
    paths.workflow('sales-etl'),
    paths.editor('sales-etl'),
  ];
  for (const place of places)
    await test.step(place, async () => {
      await goToHash(page, `#${place}`);
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
      expect.soft(await findHorizontalOverflow(page), place).toEqual([]);
      const width = await page.evaluate(() => document.scrollingElement!.scrollWidth);
      expect.soft(width, place).toBeLessThanOrEqual(390);
    });
});

test('the focus is completely visible in the navigation, and one link skips it', async ({ page, server }) => {
  // Low, so that the navigation scrolls.
  await page.setViewportSize({ width: 1280, height: 480 });
  await page.goto(`${server.url}/dags`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.getByRole('link', { name: /go to dashboard$/ }).focus();
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  for (let index = 0; index < (await links.count()); index += 1) {
    await page.keyboard.press('Tab');
    await expect(links.nth(index)).toBeFocused();
    expect.soft(await findCutSides(page), await links.nth(index).innerText()).toEqual([]);
  }
});

test('the notices of the schedule are below its header', async ({ page, testHome, ui }) => {
  testHome.saveWorkflow('often', 'schedule: "*/5 * * * *"\nsteps:\n  - echo often\n');
  await ui.goTo('Schedule');
  const notice = page.getByRole('note').first();
  await expect(notice).toBeVisible();
  await expect(page.getByRole('table')).toBeVisible();
  const header = (await page.locator('main header').first().boundingBox())!;
  expect((await notice.boundingBox())!.y).toBeGreaterThanOrEqual(header.y + header.height);
  expect(header.y).toBe(0);
});
