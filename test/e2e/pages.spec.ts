import { expect } from '@playwright/test';
import { test } from './rig/browser-test.ts';
import { paths } from '../../renderer/app/paths.ts';
import { allPlaces } from '../../renderer/app/places.ts';
import { examine } from './rig/examine.ts';
import { goToHash } from './rig/page-checks.ts';
import type { WebUi } from './rig/web-ui.ts';

const brokenWorkflow = `description: Misspelt, so that there is something to correct
steps:
  - name: one
    comand: echo hello
  - name: two
    depends: three
    command: "true"
`;

const scheduledWorkflow = `description: Keeps the cache warm
tags: operations
schedule: "*/15 8-18 * * 1-5"
steps:
  - echo warm
`;

/** Places of the rail that are examined with more on them, below or in a spec of their own. */
const examinedElsewhere = new Set<string>([
  paths.workflows,
  paths.runs,
  paths.webhooks,
  paths.gateway,
  paths.users,
  paths.tokens,
  paths.apiReference(),
]);

const furtherPages = [
  ['/search?q=report', 'search-report'],
  ['/system?tab=scheduler', 'system-scheduler'],
  ['/system?tab=hosts', 'system-hosts'],
  ['/system?tab=workers', 'system-workers'],
  [paths.gallery, 'gallery'],
] as const;

/** Every page in turn, each with something on it. */
async function visitAll(ui: WebUi, visit: (name: string) => Promise<void>): Promise<void> {
  const { page } = ui;
  const openRun = async (workflow: string): Promise<void> => {
    await ui.goTo('Runs');
    await ui.row(workflow).first().getByRole('link').click();
    await expect(page.getByRole('group', { name: `Graph of ${workflow}` })).toBeVisible();
  };
  const visitHash = async (href: string, name: string): Promise<void> => {
    await goToHash(page, `#${href}`);
    // The gallery shows a list that is never there.
    if (name !== 'gallery') await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    await visit(name);
  };
  const openWorkflow = async (name: string): Promise<void> => {
    await ui.goTo('Workflows');
    await ui.row(name).getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  };
  await ui.goTo('Workflows');
  await expect(ui.row('gated')).toContainText('Running');
  await visit('workflows');
  await page.getByRole('button', { name: 'Run sales-etl' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await visit('start-dialog');
  await page.keyboard.press('Escape');
  await openWorkflow('sales-etl');
  await expect(ui.card('report')).toBeVisible();
  await visit('workflow-graph');
  await page.getByRole('tab', { name: 'YAML' }).click();
  await visit('workflow-yaml');
  await page.getByRole('tab', { name: 'Runs' }).click();
  await expect(ui.row('Succeeded').first()).toBeVisible();
  await visit('workflow-runs');
  await page.getByRole('tab', { name: 'Schedule' }).click();
  await expect(page.getByText('It has no schedule')).toBeVisible();
  await visit('workflow-schedule');
  await openWorkflow('broken');
  await visit('workflow-broken');
  await ui.goTo('Runs');
  await visit('runs');
  await openRun('gated');
  await expect(ui.log).toBeVisible();
  await visit('run-live');
  await openRun('nightly-backup');
  await expect(ui.log).toBeVisible();
  await visit('run-failed');
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await visit('run-timeline');
  await openRun('monthly-summary');
  await ui.openLog('south');
  await visit('run-with-sub-runs');
  await ui.goTo('API reference');
  await page.getByRole('link', { name: 'dags.start' }).click();
  await expect(page.getByRole('heading', { name: 'dags.start' })).toBeVisible();
  await visit('api-reference');
  for (const { href, label } of allPlaces) {
    if (!examinedElsewhere.has(href)) await visitHash(href, label.toLowerCase());
  }
  for (const [place, name] of furtherPages) await visitHash(place, name);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
  await visit('palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await visit('keys');
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    location.hash = '#/nowhere';
  });
  await expect(page.getByText('There is no such page')).toBeVisible();
  await expect(page.locator('main').getByRole('link', { name: 'dashboard' })).toBeVisible();
  await expect(page.getByRole('figure', { name: 'Quote' })).toContainText('Dispatcher');
  await visit('nowhere');
}

test('every page is accessible in both themes', async ({ page, server, ui, workplace }) => {
  // A scan of a page takes seconds on a busy machine, and there are many.
  test.setTimeout(400_000);
  const gate = workplace.gate('gate');
  workplace.saveWorkflow('broken', brokenWorkflow);
  workplace.saveWorkflow('warm-cache', scheduledWorkflow);
  workplace.saveWorkflow(
    'gated',
    `description: Stands still, so that it can be looked at
steps:
- name: first
  command: printf '\\033[32mready\\033[0m\\n'
- name: wait
  script: |
    echo "the gate is closed"
    ${gate.wait}
- name: last
  command: echo after
`,
  );
  const start = async (name: string, params: string): Promise<void> => {
    const answer = await page.request.post(`${server.url}/api/v2/dags/${name}/start`, { data: { params } });
    expect(answer.ok()).toBe(true);
  };
  await start('sales-etl', 'PACE=0');
  await start('nightly-backup', 'OUTAGES=1 FAIL=yes');
  await start('monthly-summary', 'MONTH=2026-02');
  await page.reload();
  for (const [name, status] of [
    ['sales-etl', 'Succeeded'],
    ['nightly-backup', 'Failed'],
    ['monthly-summary', 'Succeeded'],
  ] as const) {
    await expect(ui.row(name)).toContainText(status, { timeout: 20_000 });
  }
  await start('gated', '');
  await visitAll(ui, (name) => examine(page, name));
  gate.open();
});

test('the theme follows the system until one is chosen, which is remembered', async ({ page, ui }) => {
  const background = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await background();
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await background();
  expect(light).not.toBe(dark);
  await page.getByRole('radio', { name: 'Dark' }).click({ force: true });
  await expect.poll(background).toBe(dark);
  await page.reload();
  await ui.waitUntilLoaded();
  expect(await background()).toBe(dark);
});
