import { expect, type Page } from '@playwright/test';
import { sharedTest, test } from './rig/browser-test.ts';
import { paths } from '../../renderer/navigation/address.ts';
import { navigationItems } from '../../renderer/navigation/navigation-items.ts';
import { checkPage, findViolations, goToHash } from './rig/check-page.ts';
import { type Latch, startServer, type EngineServer, TestHome } from './rig/test-home.ts';
import { WebUi } from './rig/web-ui.ts';

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

/** Navigation entries that are scanned with more content, below or in their own spec. */
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
  ['/notifications?view=rules', 'notification-rules'],
  ['/system?tab=scheduler', 'system-scheduler'],
  ['/system?tab=hosts', 'system-hosts'],
  ['/system?tab=workers', 'system-workers'],
  [paths.gallery, 'gallery'],
] as const;

const gatedWorkflow = (latch: Latch): string => `description: Stands still, so that it can be looked at
steps:
- name: first
  command: printf '\\033[32mready\\033[0m\\n'
- name: wait
  script: |
    echo "the gate is closed"
    ${latch.wait}
- name: last
  command: echo after
`;

/** Starts runs of every kind and waits until they reach the state to be scanned. */
async function prepareRuns({ url }: EngineServer): Promise<void> {
  const call = async (path: string, body?: object): Promise<unknown> => {
    const init = body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    };
    const response = await fetch(`${url}/api/v2${path}`, init);
    expect(response.ok).toBe(true);
    return response.json();
  };
  for (const [name, params, status] of [
    ['sales-etl', 'PACE=0', 'succeeded'],
    ['nightly-backup', 'OUTAGES=1 FAIL=yes', 'failed'],
    ['monthly-summary', 'MONTH=2026-02', 'succeeded'],
    ['gated', '', 'running'],
  ] as const) {
    const { dagRunId } = (await call(`/dags/${name}/start`, { params })) as { dagRunId: string };
    await expect
      .poll(() => call(`/dag-runs/${name}/${dagRunId}`), { timeout: 20_000 })
      .toMatchObject({ status });
  }
}

interface Shown {
  readonly server: EngineServer;
  readonly page: Page;
}

/** The tests share a page, and a server that has run workflows of every kind. */
const onPages = test.extend<Shown, { shown: Shown }>({
  shown: [
    async ({ browser }, use) => {
      const testHome = new TestHome();
      const latch = testHome.gate('gate');
      // First: only an empty home gets samples.
      const server = await startServer(testHome.home);
      testHome.saveWorkflow('broken', brokenWorkflow);
      testHome.saveWorkflow('warm-cache', scheduledWorkflow);
      testHome.saveWorkflow('gated', gatedWorkflow(latch));
      try {
        await prepareRuns(server);
        const page = await browser.newPage({ reducedMotion: 'reduce' });
        await page.goto(`${server.url}/#/dags`);
        await use({ server, page });
        await page.close();
      } finally {
        latch.open();
        await server.stop();
        testHome.remove();
      }
    },
    { scope: 'worker' },
  ],
  server: async ({ shown }, use) => use(shown.server),
  page: async ({ shown }, use) => use(shown.page),
  ui: async ({ page }, use) => {
    await use(new WebUi(page));
    // Dialogs are open above their page.
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  },
});

const openRun = async (ui: WebUi, workflow: string): Promise<void> => {
  await ui.goTo('Runs');
  await ui.row(workflow).first().getByRole('link').click();
  await expect(ui.page.getByRole('group', { name: `Graph of ${workflow}` })).toBeVisible();
};

const openList = async (ui: WebUi): Promise<void> => {
  await goToHash(ui.page, '#/dags');
  await expect(ui.row('gated')).toContainText('Running');
};

const openWorkflow = async ({ page }: WebUi, name: string, tab = 'graph'): Promise<void> => {
  await goToHash(page, `#/dags/${name}?tab=${tab}`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
};

const openHash = async ({ page }: WebUi, href: string, name: string): Promise<void> => {
  await goToHash(page, `#${href}`);
  // The gallery shows a list that never loads.
  if (name !== 'gallery') await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
};

/** How to open each page, by the name of its screenshots. */
const pages: Record<string, (ui: WebUi) => Promise<void>> = {
  workflows: openList,
  'start-dialog': async (ui) => {
    await openList(ui);
    const { page } = ui;
    await page.getByRole('button', { name: 'Run sales-etl' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'workflow-graph': async (ui) => {
    await openWorkflow(ui, 'sales-etl');
    await expect(ui.card('report')).toBeVisible();
  },
  'workflow-yaml': (ui) => openWorkflow(ui, 'sales-etl', 'yaml'),
  'workflow-runs': async (ui) => {
    await openWorkflow(ui, 'sales-etl', 'runs');
    await expect(ui.row('Succeeded').first()).toBeVisible();
  },
  'workflow-schedule': async (ui) => {
    await openWorkflow(ui, 'sales-etl', 'schedule');
    await expect(ui.page.getByRole('form', { name: 'Schedule' })).toBeVisible();
  },
  'workflow-broken': (ui) => openWorkflow(ui, 'broken'),
  runs: (ui) => ui.goTo('Runs'),
  'run-live': async (ui) => {
    await openRun(ui, 'gated');
    await expect(ui.log).toBeVisible();
  },
  'run-failed': async (ui) => {
    await openRun(ui, 'nightly-backup');
    await expect(ui.log).toBeVisible();
  },
  'run-timeline': async (ui) => {
    await openRun(ui, 'nightly-backup');
    await ui.page.getByRole('tab', { name: 'Timeline' }).click();
  },
  'run-with-sub-runs': async (ui) => {
    await openRun(ui, 'monthly-summary');
    await ui.openLog('south');
  },
  'api-reference': async (ui) => {
    await ui.goTo('API reference');
    await ui.page.getByRole('link', { name: 'dags.start' }).click();
    await expect(ui.page.getByRole('heading', { name: 'dags.start' })).toBeVisible();
  },
  palette: async (ui) => {
    await openList(ui);
    const { page } = ui;
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
  },
  keys: async (ui) => {
    await openList(ui);
    const { page } = ui;
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  },
  nowhere: async ({ page }) => {
    await page.evaluate(() => {
      location.hash = '#/nowhere';
    });
    await expect(page.getByText('Page not found')).toBeVisible();
    await expect(page.locator('main').getByRole('link', { name: 'dashboard' })).toBeVisible();
  },
};

/** Shown above a page that is scanned itself. */
const dialogs = new Set(['start-dialog', 'palette', 'keys']);

for (const { href, label } of navigationItems)
  if (!examinedElsewhere.has(href)) pages[label.toLowerCase()] = (ui) => openHash(ui, href, label);
for (const [href, name] of furtherPages) pages[name] = (ui) => openHash(ui, href, name);

for (const [name, open] of Object.entries(pages))
  onPages(`the page ${name} is accessible in both themes`, async ({ page, ui }) => {
    await open(ui);
    await checkPage(page, name, dialogs.has(name) ? '[role=dialog]' : 'html');
  });

onPages('the hours of the schedule are readable at each density', async ({ page, ui }) => {
  await ui.goTo('Schedule');
  await page.getByRole('button', { name: 'Next week' }).click();
  const hours = page.locator('[data-density]');
  await expect(hours.first()).toBeVisible();
  await hours.evaluateAll((cells: HTMLElement[]) => {
    for (const [index, { dataset }] of cells.entries()) dataset['density'] = String((index % 5) + 1);
  });
  await checkPage(page, 'schedule-densities', 'table');
});

onPages('a contrast that is too low only in the dark theme is found', async ({ page, ui }) => {
  await pages['nowhere']!(ui);
  await checkPage(page, 'nowhere');
  await page.locator('h1').evaluate(({ style }) => {
    style.color = 'light-dark(#000, #333)';
    style.background = 'light-dark(#fff, #222)';
  });
  expect(await findViolations(page)).toEqual([expect.stringMatching(/^color-contrast-dark: .*h1/)]);
});

sharedTest('the theme follows the system until one is selected, which is saved', async ({ page, ui }) => {
  const background = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await background();
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await background();
  expect(light).not.toBe(dark);
  await page.getByRole('radio', { name: 'Dark' }).click();
  await expect.poll(background).toBe(dark);
  await page.reload();
  await ui.waitUntilLoaded();
  expect(await background()).toBe(dark);
});
