import { expect } from '@playwright/test';
import { sharedTest as test } from './rig/browser-test.ts';
import { checkPage } from './rig/check-page.ts';

const failing = 'group: nightly\nsteps:\n  - name: dump\n    command: exit 3\n';
const quick =
  'schedule: "0 2 * * *"\ntags: daily\nmaxActiveRuns: -1\nparams: CITY=Oslo\nsteps:\n  - echo hello\n';

test('finds, filters, selects and saves active and finished runs by keyboard', async ({
  page,
  server,
  ui,
  testHome,
}) => {
  test.setTimeout(120_000);
  const latch = testHome.gate('gate');
  testHome.saveWorkflow('backup', failing);
  testHome.saveWorkflow('report', quick);
  testHome.saveWorkflow('gated', `steps:\n  - name: wait\n    script: |\n      ${latch.wait}\n`);
  const start = async (name: string): Promise<void> => {
    const answer = await page.request.post(`${server.url}/api/v2/dags/${name}/start`, { data: {} });
    expect(answer.ok()).toBe(true);
  };
  for (const name of ['backup', 'report', 'report', 'gated']) await start(name);

  await ui.goTo('Dashboard');
  const failures = page.getByRole('region', { name: 'Failures' });
  await expect(failures.getByRole('link', { name: 'exit code 3' })).toBeVisible({ timeout: 20_000 });
  const running = page.getByRole('region', { name: 'Active runs' });
  await expect(running.getByRole('link', { name: 'gated' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Upcoming' }).getByText('Every day at 02:00')).toBeVisible();
  await checkPage(page, 'dashboard');
  latch.open();
  // From the event stream alone.
  await expect(running.getByText('No active runs')).toBeVisible({ timeout: 20_000 });
  await page
    .getByRole('navigation', { name: 'Runs by status' })
    .getByRole('link', { name: /Failed/ })
    .click();
  expect(await ui.place()).toBe('/runs?status=failed&range=today');
  await expect(ui.row('backup')).toBeVisible();
  await expect(ui.row('report')).toBeHidden();

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('oslo');
  await expect(ui.row('report')).toHaveCount(2);
  await expect(ui.row('backup')).toBeHidden();
  await page.reload();
  await expect(ui.row('report')).toHaveCount(2);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save view…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Oslo');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Oslo' })).toBeVisible();
  await page.getByRole('button', { name: 'Show calendar' }).click();
  await expect(page.getByRole('group', { name: 'Runs by day' })).toBeVisible();
  await checkPage(page, 'runs-filtered');

  await page.locator('h1').click();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('2 selected');
  await page.getByRole('button', { name: 'Delete 2' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete 2 runs?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Delete 2 runs' }).press('Enter');
  await expect(page.getByText('No matching runs')).toBeVisible();

  await ui.goTo('Workflows');
  await page.getByRole('combobox', { name: 'Group' }).selectOption('nightly');
  await expect(ui.row('backup')).toBeVisible();
  await expect(ui.row('report')).toBeHidden();
  await checkPage(page, 'workflows-filtered');
});

test('collapses, selects, suspends and opens workflows by keyboard, at 200 % zoom', async ({
  page,
  ui,
  testHome,
}) => {
  test.setTimeout(120_000);
  // What is left of 1280x800 at 200 %.
  await page.setViewportSize({ width: 640, height: 400 });
  testHome.saveWorkflow('backup', failing);
  testHome.saveWorkflow('close', `group: books\n${quick}`);
  testHome.saveWorkflow('weekly', `group: books\n${quick}`);
  await ui.goTo('Workflows');
  await expect(ui.row('weekly')).toBeVisible();
  const arranged = page
    .getByRole('button', { name: 'By group' })
    .or(page.getByRole('radio', { name: 'By group' }));
  await arranged.focus();
  await page.keyboard.press('Space');
  expect(await ui.place()).toBe('/dags?by=group');
  const books = page.getByRole('button', { name: 'books 2' });
  await expect(books).toHaveAttribute('aria-expanded', 'true');
  await page.locator('h1').click();
  for (const key of ['j', 'x']) await page.keyboard.press(key);
  const toolbar = page.getByRole('toolbar', { name: 'Selection' });
  await expect(toolbar).toContainText('2 selected');
  await toolbar.getByRole('button', { name: 'Suspend 2' }).press('Enter');
  await expect(ui.row('weekly')).toContainText('suspended');
  await page.locator('h1').click();
  for (const key of ['Escape', 'ArrowLeft']) await page.keyboard.press(key);
  await expect(toolbar).toBeHidden();
  await expect(ui.row('weekly')).toBeHidden();
  await page.reload();
  await expect(books).toHaveAttribute('aria-expanded', 'false');
  await checkPage(page, 'workflows-grouped');
  // Only the table itself is wider than the window.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640);

  await page.locator('h1').click();
  for (const key of ['j', 'ArrowRight', 'j', 'Enter']) await page.keyboard.press(key);
  await expect(page.getByRole('heading', { level: 1, name: 'close' })).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Schedule of close' })).not.toBeChecked();
  const overview = page.getByRole('tab', { name: 'Overview' });
  await overview.focus();
  await page.keyboard.press('End');
  expect(await ui.place()).toBe('/dags/close?tab=versions');
  await expect(page.getByText('Current version')).toBeVisible();
  await checkPage(page, 'workflow-versions');
  await page.goBack();
  await expect(books).toBeVisible();
});

test('scrolls a thousand runs without rendering a thousand rows', async ({ page, server, ui }) => {
  test.setTimeout(120_000);
  const runs = Array.from({ length: 1000 }, (_, index) => ({
    name: `job-${index % 7}`,
    dagRunId: `r-${index}`,
    status: 'succeeded',
    trigger: 'api',
    params: [],
    createdAt: new Date(Date.UTC(2026, 0, 1) - index * 60_000).toISOString(),
  }));
  await page.route(`${server.url}/api/v2/dag-runs?*`, (route) => route.fulfill({ json: { dagRuns: runs } }));
  await ui.goTo('Runs');
  const table = page.getByRole('table', { name: 'Runs' });
  await expect(table).toHaveAttribute('aria-rowcount', '1001');
  await page.locator('h1').click();
  await page.keyboard.press('End');
  await expect(page.getByRole('link', { name: 'r-999' })).toBeVisible();
  expect(await table.getByRole('row').count()).toBeLessThan(120);
});
