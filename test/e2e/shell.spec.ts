import { expect, type Page } from '@playwright/test';
import { sharedTest, test } from './rig/browser-test.ts';
import { navigationItems } from '../../renderer/navigation/navigation-items.ts';
import { paths } from '../../renderer/navigation/address.ts';
import {
  checkPage,
  findInfiniteAnimations,
  findHorizontalOverflow,
  goToHash,
  measureLayoutShift,
} from './rig/check-page.ts';
import { WebUi } from './rig/web-ui.ts';

// Animations are only observed where motion is allowed.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Runs a sample while the page is open. */
async function runToEnd(page: Page, url: string): Promise<void> {
  const started = await page.request.post(`${url}/api/v2/dags/sales-etl/start`, {
    data: { params: 'PACE=0' },
  });
  const { dagRunId } = (await started.json()) as { dagRunId: string };
  const read = async (): Promise<string> => {
    const answer = await page.request.get(`${url}/api/v2/dag-runs/sales-etl/${dagRunId}`);
    return ((await answer.json()) as { status: string }).status;
  };
  await expect.poll(read, { timeout: 30_000 }).toBe('succeeded');
}

sharedTest('reaches everything by keyboard, and shortcuts can be changed', async ({ ui }) => {
  const { page } = ui;
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('sales');
  await expect(palette.getByRole('option', { selected: true })).toHaveText(/^sales-etl/);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'sales-etl')).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(heading(page, 'Runs')).toBeVisible();

  await page.keyboard.press('Control+Shift+p');
  await page.keyboard.type('run sales');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Run sales-etl' });
  await dialog.getByLabel('PACE').fill('0');
  await page.keyboard.press('Enter');
  await ui.expectRunStatus('Succeeded');

  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(keys).toContainText('Toggle light and dark theme');
  // Shortcuts are inactive on the page behind it.
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await page.keyboard.press('Escape');
  await expect(keys).toBeHidden();
  await expect(heading(page, 'sales-etl')).toBeVisible();

  await goToHash(page, '#/settings');
  const change = page.getByRole('button', { name: 'Change shortcut: Go to Runs' });
  await change.focus();
  for (const key of ['Enter', 'g', 'w']) await page.keyboard.press(key);
  await expect(page.getByText('"g w" is already used for "Workflows".')).toBeVisible();
  for (const key of ['Enter', 'g', 'x']) await page.keyboard.press(key);
  await expect(change).toContainText('GX');
  await change.blur();
  await page.keyboard.press('g');
  await page.keyboard.press('x');
  await expect(heading(page, 'Runs')).toBeVisible();
  // In a field, letters are input.
  await page.getByRole('searchbox').first().pressSequentially('gw');
  await expect(heading(page, 'Runs')).toBeVisible();
});

/** Chooses a setting; the one before may redraw the page at this moment. */
async function choose(page: Page, name: string): Promise<void> {
  const radio = page.getByRole('radio', { name });
  await expect(async () => {
    await radio.click({ timeout: 5000 });
    await expect(radio).toBeChecked({ timeout: 1000 });
  }).toPass();
}

sharedTest('zone, clock, density and motion apply to every view and are saved', async ({ ui, server }) => {
  const { page } = ui;
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const answer = await page.request.post(`${server.url}/api/v2/dags/sales-etl/start`, {
    data: { params: 'PACE=0.5' },
  });
  expect(answer.ok()).toBe(true);
  await goToHash(page, '#/settings');
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await choose(page, '12 hours');
  await choose(page, 'Date and time');
  await choose(page, 'Compact');
  await choose(page, 'Reduced');
  await page.reload();
  await expect(page.getByText(/Current time: .* (am|pm) GMT\+9/)).toBeVisible();
  await ui.goTo('Workflows');
  await expect(ui.row('sales-etl')).toContainText('Running');
  expect(await findInfiniteAnimations(page)).toEqual([]);
  await expect(ui.row('sales-etl').locator('time').first()).toHaveAttribute('title', /(am|pm) GMT\+9/);
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact');
});

test('an empty home offers samples that run with one click, and a tour', async ({
  page,
  serve,
  testHome,
}) => {
  testHome.makeWorkflowFolder();
  const { url } = await serve();
  await page.goto(`${url}/#/dags`);
  const ui = new WebUi(page);
  await ui.goTo('Schedule');
  await expect(page.getByText('No scheduled workflows')).toBeVisible();
  await checkPage(page, 'schedule-empty');
  await ui.goTo('Workflows');
  await expect(page.getByText('No workflows yet')).toBeVisible();
  await ui.goTo('Dashboard');
  await checkPage(page, 'first-screen');
  await page.getByRole('button', { name: 'Take the tour' }).first().click();
  const card = page.getByRole('dialog', { name: 'Workflows are files' });
  await expect(card).toBeFocused();
  await card.getByRole('button', { name: 'Next' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Visual editor' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await ui.goTo('Dashboard');
  await page.getByRole('button', { name: 'Add and run: Parallel steps with a retry' }).click();
  await expect(heading(page, 'parallel-with-retry')).toBeVisible();
  await ui.expectRunStatus('Succeeded');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Take the tour' })).toHaveCount(0);
});

sharedTest('pages fit at 200 % and do not shift while runs come and go', async ({ ui, server }) => {
  const { page } = ui;
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await runToEnd(page, server.url);
  for (const [hash, moves] of [
    ['#/', 0.02],
    ['#/dags', 0.02],
    ['#/runs', 0.05],
  ] as const) {
    await goToHash(page, hash);
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    await expect(page.locator('main').getByText('sales-etl').filter({ visible: true }).first()).toBeVisible();
    await page.evaluate(() => document.fonts.ready.then(() => true));
    const readShift = await measureLayoutShift(page);
    await runToEnd(page, server.url);
    expect.soft(await readShift(), `layout shift of ${hash}`).toBeLessThanOrEqual(moves);
  }
  // A window of 1280 pixels at 200 %.
  await page.setViewportSize({ width: 640, height: 400 });
  // Users and tokens are shown only with sign-in.
  const shown = navigationItems.filter(({ needs }) => needs !== 'users' && needs !== 'tokens');
  for (const href of [...shown.map((place) => place.href), paths.gallery])
    await test.step(href, async () => {
      await goToHash(page, `#${href}`);
      expect.soft(await findHorizontalOverflow(page), href).toEqual([]);
    });
});
