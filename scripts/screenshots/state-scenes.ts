import type { Page } from 'playwright';
import { answers, choosesFrom, pressesButton, seesDialog } from './acts.ts';
import { type Cast, runHash, type Scene, seesGraph } from './scenes.ts';

const opensRow = async (page: Page): Promise<void> => {
  await page.getByRole('row').nth(1).click();
  await seesDialog(page);
};

/** Never responds, so that the loading state can be captured. */
const never = (): void => undefined;

const waits = (page: Page): Promise<void> => page.getByRole('status', { name: 'Loading' }).waitFor();

/** Dialogs of every kind, on a home directory with runs. */
export const dialogScenes = ({ failed, succeeded }: Cast): readonly Scene[] => [
  { name: 'dialog-start', hash: '/dags/sales-etl', prepare: pressesButton('Run…') },
  { name: 'dialog-retry', hash: runHash(failed), prepare: pressesButton('Retry…') },
  { name: 'dialog-run-again', hash: runHash(succeeded), prepare: pressesButton('Rerun…') },
  {
    name: 'dialog-delete-run',
    hash: runHash(succeeded),
    prepare: choosesFrom('More rerun options', 'Delete run…'),
  },
  { name: 'dialog-filters', hash: '/runs', prepare: pressesButton('More') },
  { name: 'dialog-receiver', hash: '/webhooks?view=received', prepare: pressesButton('New receiver…') },
  { name: 'dialog-hook', hash: '/webhooks', prepare: pressesButton('New webhook…') },
  { name: 'dialog-event', hash: '/webhooks', prepare: pressesButton('Send a test event…') },
  { name: 'dialog-delivery', hash: '/webhooks', prepare: opensRow },
  { name: 'dialog-received', hash: '/webhooks?view=received', prepare: opensRow },
  { name: 'dialog-worker', hash: '/system?tab=workers', prepare: pressesButton('Connect worker') },
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
      await pressesButton('Run…')(page);
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
export const problemScenes = ({ live }: Cast): readonly Scene[] => [
  {
    name: 'loading-runs',
    hash: '/runs',
    before: answers(/\/dag-runs\?|\/dag-runs$/, never),
    prepare: waits,
  },
  {
    name: 'loading-run',
    hash: runHash(live),
    before: answers(/\/dag-runs\/sales-etl/, never),
    prepare: waits,
  },
  {
    name: 'refused-runs',
    hash: '/runs',
    before: answers(/\/dag-runs\?|\/dag-runs$/, (route) => route.fulfill({ status: 500, body: '{}' })),
    prepare: (page) => page.getByRole('button', { name: 'Try again' }).waitFor(),
  },
  {
    name: 'offline',
    hash: runHash(live),
    before: answers(/\/api\/v2\/events/, (route) => route.abort()),
    prepare: async (page) => {
      await seesGraph(page);
      await page.getByText('Disconnected from the engine.').waitFor();
      // It appears only when the engine stays unreachable.
      await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
    },
  },
  {
    name: 'broken-page',
    hash: '/queues',
    before: answers(/\/queues$/, (route) => route.fulfill({ json: { queues: [{}] } })),
    prepare: (page) => page.getByRole('heading', { name: 'Something went wrong' }).waitFor(),
  },
  {
    name: 'missing-part',
    hash: '/settings',
    before: answers(/settings-page.*\.js/, (route) => route.abort()),
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
async function makesToken(page: Page, name: string): Promise<void> {
  const theme = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'day'");
  await pressesButton('New token…')(page);
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
      await pressesButton(/user…$/)(page);
    },
  },
  { name: 'empty-tokens', hash: '/tokens', prepare: signIn },
  {
    name: 'dialog-new-token',
    hash: '/tokens',
    prepare: async (page) => {
      await signIn(page);
      await makesToken(page, 'reports');
    },
  },
  {
    name: 'tokens',
    hash: '/tokens',
    prepare: async (page) => {
      await signIn(page);
      for (const name of ['deploy of the shop', 'מעקב'] as const) {
        await makesToken(page, name);
        await page.getByRole('button', { name: 'Done' }).click();
      }
    },
  },
  {
    name: 'dialog-revoke',
    hash: '/tokens',
    prepare: async (page) => {
      await signIn(page);
      await pressesButton(/^Revoke/)(page);
    },
  },
  {
    name: 'dialog-token',
    hash: '/tokens',
    prepare: async (page) => {
      await signIn(page);
      await pressesButton(/token/)(page);
    },
  },
  {
    name: 'dialog-password',
    hash: '/runs',
    prepare: async (page) => {
      await signIn(page);
      await choosesFrom(/account menu$/, /^Change/)(page);
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
