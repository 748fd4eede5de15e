import type { Page } from 'playwright';
import {
  mockResponse,
  chooseFromMenu,
  clickButton,
  waitForDialog,
  type SampleRuns,
  runHash,
  type Scene,
} from './scenes.ts';

/** Mocks an error of the engine. */
const rejectRequest = (address: RegExp, status: number, code: string, message: string) =>
  mockResponse(address, (route) =>
    route.request().method() === 'GET'
      ? route.fallback()
      : route.fulfill({ status, json: { code, message } }),
  );

/** Presses the last button of the dialog and waits for the error: at a field, or below all fields. */
async function isRefused(page: Page): Promise<void> {
  await page.getByRole('dialog').locator('button').last().click();
  await page.getByRole('dialog').locator('[role="alert"], [aria-invalid="true"]').first().waitFor();
}

/** Dialogs that compare or confirm. */
export const questionScenes = ({ succeeded, live, training }: SampleRuns): readonly Scene[] => {
  const compare = `/compare/${runHash(succeeded).slice(6)}/${runHash(live).slice(6)}`;
  return [
    {
      name: 'dialog-compare',
      hash: runHash(succeeded),
      prepare: chooseFromMenu('More rerun options', 'Compare with…'),
    },
    { name: 'compare-values', hash: `${compare}?view=values` },
    { name: 'compare-yaml', hash: `${compare}?view=spec` },
    { name: 'compare-logs', hash: `${compare}?view=logs&step=validate` },
    {
      name: 'dialog-kill',
      hash: runHash(training),
      prepare: chooseFromMenu('More stop options', 'Kill now…'),
    },
    { name: 'run-on-worker', hash: runHash(training) },
    {
      name: 'menu-run',
      hash: runHash(succeeded),
      prepare: async (page) => {
        await page.getByRole('button', { name: 'More rerun options' }).click();
        await page.getByRole('menu').waitFor();
      },
    },
    {
      name: 'dialog-delete-runs',
      hash: '/runs',
      prepare: async (page) => {
        for (const row of [1, 2, 3]) await page.getByRole('checkbox').nth(row).click();
        await page.getByRole('button', { name: /^Delete/ }).click();
        await waitForDialog(page);
      },
    },
    {
      name: 'dialog-remove-worker',
      hash: '/system?tab=workers',
      prepare: chooseFromMenu(/^Actions on/, 'Remove…'),
    },
    {
      name: 'dialog-delete-receiver',
      hash: '/webhooks?view=received',
      prepare: chooseFromMenu('More actions', /^Delete/),
    },
  ];
};

/** Refusals of the engine, shown where the action was requested. */
export const errorScenes = ({ failed }: SampleRuns): readonly Scene[] => [
  {
    name: 'bulk-refused',
    hash: '/runs',
    before: rejectRequest(
      /\/dag-runs\/[^/]+\/[^/]+$/,
      409,
      'still_running',
      'it has a sub-run that still goes on: stop that first, and delete it again',
    ),
    prepare: async (page) => {
      for (const row of [1, 4, 5]) await page.getByRole('checkbox').nth(row).click();
      await page.getByRole('button', { name: /^Delete/ }).click();
      await page.getByRole('dialog').locator('button').last().click();
      await page.getByRole('dialog', { name: / not deleted$/ }).waitFor();
    },
  },
  {
    name: 'refused-start',
    hash: '/dags/sales-etl',
    before: rejectRequest(
      /\/dags\/sales-etl\/start$/,
      409,
      'max_run_reached',
      '"sales-etl" has 1 active run, and maxActiveRuns is 1: wait until it has ended, or queue this one',
    ),
    prepare: async (page) => {
      await clickButton('Run…')(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('dialog').getByRole('alert').waitFor();
    },
  },
  {
    name: 'refused-delete',
    hash: runHash(failed),
    before: rejectRequest(
      /\/dag-runs\/nightly-backup\/[^/]+$/,
      409,
      'still_running',
      'the run is active again: stop it first',
    ),
    prepare: async (page) => {
      await chooseFromMenu('More rerun options', 'Delete run…')(page);
      await isRefused(page);
    },
  },
  {
    name: 'refused-hook',
    hash: '/webhooks',
    prepare: async (page) => {
      await clickButton('New webhook…')(page);
      await page.getByRole('textbox', { name: /^URL/ }).fill('http://127.0.0.1:9/hook');
      await isRefused(page);
    },
  },
];

/** A server's sign-in information, for servers with other sign-in options than the one used here. */
const info = (logins: readonly object[], setupNeeded = false) =>
  mockResponse(/\/api\/v2\/auth$/, (route) =>
    route.fulfill({ json: { mode: 'oidc', required: true, logins, setupNeeded, signedIn: false } }),
  );
const single = { kind: 'oidc', path: '/auth/oidc/login' };
const signInByPassword = { kind: 'password' };

/** Sign-in pages, and dialogs about users. @param signIn signs in on the page */
export const entryScenes = (signIn: (page: Page) => Promise<void>): readonly Scene[] => {
  const asks = (button: RegExp) => async (page: Page) => {
    await signIn(page);
    await clickButton(button)(page);
  };
  return [
    { name: 'sign-in-both', hash: '/runs', before: info([signInByPassword, single]) },
    {
      name: 'sign-in-single',
      hash: '/runs',
      before: async (page) => {
        // The page was redirected recently; otherwise it would redirect automatically.
        await page.addInitScript('sessionStorage.setItem("stepwright.departed", String(Date.now()))');
        await info([single])(page);
      },
    },
    {
      name: 'sign-in-single-broken',
      hash: '/runs',
      before: info([
        { kind: 'oidc', problem: 'The identity provider https://id.example.com does not answer.' },
      ]),
    },
    { name: 'sign-in-setup', hash: '/runs', before: info([signInByPassword], true) },
    {
      name: 'sign-in-again',
      hash: '/runs',
      prepare: async (page) => {
        await signIn(page);
        await page.context().clearCookies();
        await page.evaluate("location.hash = '/queues'");
        await waitForDialog(page);
      },
    },
    { name: 'dialog-delete-user', hash: '/users', prepare: asks(/^Delete omar/) },
    { name: 'dialog-rename-user', hash: '/users', prepare: asks(/^Rename omar/) },
    { name: 'dialog-reset-password', hash: '/users', prepare: asks(/^Reset password for omar/) },
    {
      name: 'refused-user',
      hash: '/users',
      prepare: async (page) => {
        await asks(/user…$/)(page);
        await page.getByRole('textbox', { name: 'Username' }).fill('omar');
        await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('correct horse battery');
        await isRefused(page);
      },
    },
  ];
};
