import type { Page, Route } from 'playwright';
import type { Run } from './engine.ts';

/** Waits for an open dialog. */
export const waitForDialog = (page: Page): Promise<void> => page.getByRole('dialog').waitFor();

/** Returns a step that presses a button to open a dialog. */
export const clickButton =
  (name: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).first().click();
    await waitForDialog(page);
  };

/** Returns a step that opens a dialog from a menu. */
export const chooseFromMenu =
  (menu: string | RegExp, item: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: menu }).first().click();
    await page.getByRole('menuitem', { name: item }).click();
    await waitForDialog(page);
  };

/** Returns a step that mocks the engine's responses for URLs with this ending. */
export const mockResponse =
  (address: RegExp, answer: (route: Route) => unknown) =>
  async (page: Page): Promise<void> => {
    await page.route(address, async (route) => {
      await answer(route);
    });
  };

/** A page of the application to take a screenshot of. */
export interface Scene {
  /** Name of its files. */
  readonly name: string;
  /** The part after the `#`. */
  readonly hash: string;
  /** Setup before the page is opened. */
  readonly before?: (page: Page) => Promise<void>;
  /** Brings the page into the state to capture. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export const runHash = ({ name, dagRunId }: Run): string => `/runs/${name}/${dagRunId}`;

export const waitForGraph = (page: Page): Promise<void> => page.locator('[data-node-id]').first().waitFor();

async function waitForOrders(page: Page): Promise<void> {
  await waitForGraph(page);
  await page
    .getByText(/\d of \d+ orders/)
    .first()
    .waitFor();
}

/** With a selected step and its form. */
async function selectStep(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Canvas' }).click();
  // In a narrow window the outline is closed at first.
  await page
    .locator('[data-canvas]')
    .getByRole('button', { name: /^step validate,/ })
    .click();
  await waitForGraph(page);
}

const openTab =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('tab', { name }).click();

const press =
  (keys: string, typed = '') =>
  async (page: Page): Promise<void> => {
    await page.keyboard.press(keys);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type(typed);
  };

const waitForLog = (page: Page): Promise<void> => page.getByRole('log').first().waitFor();

/** The database takes a while to start. */
async function showExample(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'No tables yet' }).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Show example' }).click();
}

/** The runs that the scenes use. */
export interface SampleRuns {
  /** A run with an answered approval, and one with an open one. */
  readonly approved: Run;
  readonly asking: Run;
  readonly live: Run;
  readonly cached: Run;
  readonly succeeded: Run;
  readonly failed: Run;
  readonly parent: Run;
  /** A run with parallel items, one of which fails, and one with artifacts. */
  readonly withFiles: Run;
  /** A queued run behind others. */
  readonly waiting: Run;
  /** A run on a worker that takes an hour. */
  readonly training: Run;
}

/** Scenes of an active run, in both themes; taken first, because it ends. */
export const liveScenes = ({ live }: SampleRuns): readonly Scene[] => [
  { name: 'run', hash: runHash(live), prepare: waitForOrders },
];

/** All other pages. */
export const otherScenes = ({ live, succeeded, failed, parent }: SampleRuns): readonly Scene[] => [
  { name: 'dashboard', hash: '/', prepare: (page) => page.getByText('1 h', { exact: true }).click() },
  { name: 'workflows', hash: '/dags' },
  { name: 'workflow', hash: '/dags/sales-etl', prepare: waitForGraph },
  { name: 'workflow-yaml', hash: '/dags/sales-etl', prepare: openTab('YAML') },
  { name: 'workflow-runs', hash: '/dags/sales-etl', prepare: openTab('Runs') },
  { name: 'workflow-schedule', hash: '/dags/warm-cache?tab=schedule' },
  { name: 'workflow-versions', hash: '/dags/warm-cache?tab=versions' },
  { name: 'workflows-grouped', hash: '/dags?by=tag' },
  { name: 'runs', hash: '/runs' },
  { name: 'run-failed', hash: runHash(failed), prepare: waitForGraph },
  { name: 'run-timeline', hash: runHash(succeeded), prepare: openTab('Timeline') },
  { name: 'run-steps', hash: runHash(failed), prepare: openTab('Steps') },
  { name: 'run-values', hash: runHash(succeeded), prepare: openTab('Values') },
  { name: 'run-resources', hash: runHash(live), prepare: openTab('Resources') },
  { name: 'run-log', hash: `${runHash(live)}?step=split%20north&log=full`, prepare: waitForLog },
  { name: 'run-parent', hash: runHash(parent), prepare: waitForGraph },
  { name: 'compare', hash: `/compare/${runHash(succeeded).slice(6)}/${runHash(live).slice(6)}` },
  { name: 'approvals', hash: '/approvals' },
  { name: 'approvals-rejected', hash: '/approvals?show=rejected' },
  { name: 'queues', hash: '/queues' },
  { name: 'schedule', hash: '/schedule' },
  { name: 'webhooks', hash: '/webhooks' },
  { name: 'notifications', hash: '/notifications' },
  { name: 'notifications-rules', hash: '/notifications?view=rules' },
  { name: 'webhooks-received', hash: '/webhooks?view=received' },
  { name: 'webhooks-events', hash: '/webhooks?view=events&event=check_run' },
  { name: 'gateway', hash: '/gateway', prepare: showExample },
  { name: 'search', hash: '/search?q=report' },
  { name: 'system', hash: '/system' },
  { name: 'system-hosts', hash: '/system?tab=hosts' },
  { name: 'system-scheduler', hash: '/system?tab=scheduler' },
  { name: 'system-workers', hash: '/system?tab=workers' },
  { name: 'audit', hash: '/audit' },
  { name: 'settings', hash: '/settings' },
  { name: 'new', hash: '/new' },
  { name: 'editor', hash: '/dags/sales-etl/edit', prepare: selectStep },
  { name: 'palette', hash: '/runs', prepare: press('Control+k', 'sal') },
  { name: 'keys', hash: '/runs', prepare: press('?') },
  {
    name: 'tour',
    hash: '/dags',
    prepare: (page) => page.getByRole('button', { name: 'Take the tour' }).click(),
  },
  { name: 'api-reference', hash: '/api-reference/dags.start' },
  { name: 'gallery', hash: '/gallery' },
];
