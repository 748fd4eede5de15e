import type { Page } from 'playwright';
import {
  mockResponse,
  chooseFromMenu,
  clickButton,
  waitForDialog,
  type SampleRuns,
  runHash,
  type Scene,
  waitForGraph,
} from './scenes.ts';

const openRow = async (page: Page): Promise<void> => {
  await page.getByRole('row').nth(1).click();
  await waitForDialog(page);
};

/** Never responds, so that the loading state can be captured. */
const neverResolves = (): void => undefined;

const waits = (page: Page): Promise<void> => page.getByRole('status', { name: 'Loading' }).waitFor();

/** Dialogs of every kind, on a home directory with runs. */
export const dialogScenes = ({ failed, succeeded }: SampleRuns): readonly Scene[] => [
  { name: 'dialog-start', hash: '/dags/sales-etl', prepare: clickButton('Run…') },
  { name: 'dialog-retry', hash: runHash(failed), prepare: clickButton('Retry…') },
  { name: 'dialog-run-again', hash: runHash(succeeded), prepare: clickButton('Rerun…') },
  {
    name: 'dialog-delete-run',
    hash: runHash(succeeded),
    prepare: chooseFromMenu('More rerun options', 'Delete run…'),
  },
  { name: 'dialog-filters', hash: '/runs', prepare: clickButton('More') },
  { name: 'dialog-receiver', hash: '/webhooks?view=received', prepare: clickButton('New receiver…') },
  { name: 'dialog-hook', hash: '/webhooks', prepare: clickButton('New webhook…') },
  { name: 'dialog-event', hash: '/webhooks', prepare: clickButton('Send a test event…') },
  { name: 'dialog-delivery', hash: '/webhooks', prepare: openRow },
  { name: 'dialog-received', hash: '/webhooks?view=received', prepare: openRow },
  { name: 'dialog-worker', hash: '/system?tab=workers', prepare: clickButton('Connect worker') },
  {
    name: 'runs-calendar',
    hash: '/runs',
    prepare: (page) => page.getByRole('button', { name: 'Show calendar' }).click(),
  },
  {
    name: 'runs-selected',
    hash: '/runs',
    prepare: async (page) => {
      for (const row of [1, 2]) await page.getByRole('checkbox').nth(row).click();
    },
  },
  {
    name: 'workflow-dry',
    hash: '/dags/sales-etl',
    prepare: async (page) => {
      await clickButton('Run…')(page);
      await page.getByRole('button', { name: 'Dry run' }).click();
      await page.getByRole('region', { name: 'Dry run result' }).waitFor();
    },
  },
  {
    name: 'new-template',
    hash: '/new/template',
    prepare: (page) => page.getByRole('option').first().click(),
  },
  { name: 'nowhere', hash: '/nowhere' },
  { name: 'run-lost', hash: '/runs/sales-etl/gone' },
];

/** States while the engine is unreachable or returns unexpected responses. */
export const problemScenes = ({ live }: SampleRuns): readonly Scene[] => [
  {
    name: 'loading-runs',
    hash: '/runs',
    before: mockResponse(/\/dag-runs\?|\/dag-runs$/, neverResolves),
    prepare: waits,
  },
  {
    name: 'loading-run',
    hash: runHash(live),
    before: mockResponse(/\/dag-runs\/sales-etl/, neverResolves),
    prepare: waits,
  },
  {
    name: 'refused-runs',
    hash: '/runs',
    before: mockResponse(/\/dag-runs\?|\/dag-runs$/, (route) => route.fulfill({ status: 500, body: '{}' })),
    prepare: (page) => page.getByRole('button', { name: 'Try again' }).waitFor(),
  },
  {
    name: 'offline',
    hash: runHash(live),
    before: mockResponse(/\/api\/v2\/events/, (route) => route.abort()),
    prepare: async (page) => {
      await waitForGraph(page);
      await page.getByText('Disconnected from the engine.').waitFor();
      // It appears only when the engine stays unreachable.
      await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
    },
  },
  {
    name: 'broken-page',
    hash: '/queues',
    before: mockResponse(/\/queues$/, (route) => route.fulfill({ json: { queues: [{}] } })),
    prepare: (page) => page.getByRole('heading', { name: 'Something went wrong' }).waitFor(),
  },
  {
    name: 'missing-part',
    hash: '/settings',
    before: mockResponse(/settings-page.*\.js/, (route) => route.abort()),
    prepare: (page) => page.getByRole('heading', { name: 'Failed to load this page' }).waitFor(),
  },
];

/** Every page of an empty home directory. */
export const emptyScenes: readonly Scene[] = [
  { name: 'empty-dashboard', hash: '/' },
  { name: 'empty-workflows', hash: '/dags' },
  { name: 'empty-runs', hash: '/runs' },
  { name: 'empty-approvals', hash: '/approvals' },
  { name: 'empty-queues', hash: '/queues' },
  { name: 'empty-schedule', hash: '/schedule' },
  { name: 'empty-webhooks', hash: '/webhooks' },
  { name: 'empty-received', hash: '/webhooks?view=received' },
  { name: 'empty-search', hash: '/search' },
  { name: 'empty-search-result', hash: '/search?q=nothing' },
  { name: 'empty-workers', hash: '/system?tab=workers' },
  { name: 'empty-audit', hash: '/audit' },
];

/** The scene is taken in both themes, and token names are unique. */
async function createToken(page: Page, name: string): Promise<void> {
  const theme = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'day'");
  await clickButton('New token…')(page);
  await page.getByRole('textbox', { name: 'Name' }).fill(`${name} (${String(theme)})`);
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('button', { name: 'Copy token' }).waitFor();
}

/** Pages of a server with sign-in. @param signIn signs in on the page */
export const accountScenes = (signIn: (page: Page) => Promise<void>): readonly Scene[] => [
  { name: 'sign-in', hash: '/runs' },
  { name: 'users', hash: '/users', prepare: signIn },
  {
    name: 'dialog-user',
    hash: '/users',
    prepare: async (page) => {
      await signIn(page);
      await clickButton(/user…$/)(page);
    },
  },
  { name: 'empty-tokens', hash: '/tokens', prepare: signIn },
  {
    name: 'dialog-new-token',
    hash: '/tokens',
    prepare: async (page) => {
      await signIn(page);
      await createToken(page, 'reports');
    },
  },
  {
    name: 'tokens',
    hash: '/tokens',
    prepare: async (page) => {
      await signIn(page);
      for (const name of ['deploy of the shop', 'מעקב'] as const) {
        await createToken(page, name);
        await page.getByRole('button', { name: 'Done' }).click();
      }
    },
  },
  {
    name: 'dialog-revoke',
    hash: '/tokens',
    prepare: async (page) => {
      await signIn(page);
      await clickButton(/^Revoke/)(page);
    },
  },
  {
    name: 'dialog-token',
    hash: '/tokens',
    prepare: async (page) => {
      await signIn(page);
      await clickButton(/token/)(page);
    },
  },
  {
    name: 'dialog-password',
    hash: '/runs',
    prepare: async (page) => {
      await signIn(page);
      await chooseFromMenu(/account menu$/, /^Change/)(page);
    },
  },
  {
    name: 'sign-in-refused',
    hash: '/runs',
    prepare: async (page) => {
      await page.getByLabel('Username').fill('ann');
      await page.getByLabel('Password', { exact: true }).fill('wrong horse');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'account-menu',
    hash: '/runs',
    prepare: async (page) => {
      await signIn(page);
      await page.getByRole('button', { name: /account menu$/ }).click();
    },
  },
];
