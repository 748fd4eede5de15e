import { expect, type Page } from '@playwright/test';
import { findFreePort } from '../harness/servers/ports.ts';
import { startOidcProvider, testClient } from '../harness/servers/oidc-provider.ts';
import { Account, WebUi } from './rig/web-ui.ts';
import { test as browserTest } from './rig/browser-test.ts';
import type { EngineServer } from './rig/test-home.ts';

const people = { ada: { preferred_username: 'ada', email: 'ada@example.com', email_verified: true } };

/** A server with users of an identity provider. */
const test = browserTest.extend<{ guarded: EngineServer }>({
  guarded: async ({ serve, pageErrors }, use) => {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    await using provider = await startOidcProvider({
      people,
      redirectUris: [`${url}/auth/oidc/callback`],
      postLogoutUris: [`${url}/auth/oidc/signed-out`],
    });
    const env = {
      AUTH_MODE: 'oidc',
      ENGINE_AUTH_OIDC_ISSUER: provider.issuer,
      ENGINE_AUTH_OIDC_CLIENT_ID: testClient.id,
      AUTH_OIDC_CLIENT_SECRET: testClient.secret,
      ENGINE_AUTH_OIDC_DEFAULT_ROLE: 'operator',
    };
    await use(await serve({ port, env }));
    // The browser itself reports error responses, and the form of the provider loads an external font.
    pageErrors.length = 0;
  },
});

/** Fills in the provider's form. */
async function signInAtProvider(page: Page): Promise<void> {
  await page.locator('input[name=login]').fill('ada');
  await page.locator('input[name=password]').fill('any');
  await page.locator('[type=submit]').click();
}

test('a user signed in at the provider gets access, and signs out of both', async ({ page, guarded }) => {
  await page.goto(`${guarded.url}/#/dags`);
  await signInAtProvider(page);
  await expect(page.getByRole('button', { name: 'ada Operator account menu' })).toBeVisible();
  await expect(new WebUi(page).row('sales-etl')).toBeVisible();
  await page.getByRole('button', { name: /account menu$/ }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Sign out']);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  // It asks for confirmation.
  await expect(page).toHaveURL(/\/session\/end/);
  expect((await page.request.get(`${guarded.url}/api/v2/auth/me`)).status()).toBe(401);
});

test('signing in returns to the requested URL', async ({ page, guarded }) => {
  const address = `${guarded.url}/dags/sales-etl?tab=runs`;
  await page.goto(address);
  await signInAtProvider(page);
  await expect(page.getByRole('heading', { name: 'sales-etl' })).toBeVisible();
  expect(page.url()).toBe(address);
});

test('an expired cookie is removed, and the sign-in starts automatically', async ({
  page,
  guarded,
  context,
}) => {
  await page.goto(`${guarded.url}/#/dags`);
  await signInAtProvider(page);
  await expect(new WebUi(page).row('sales-etl')).toBeVisible();
  const own = (await context.cookies(guarded.url)).find(({ name }) => /^stepwright_[0-9a-f]+$/.test(name))!;
  await context.clearCookies();
  await context.addCookies([{ ...own, value: 'expired' }]);
  const address = `${guarded.url}/runs`;
  await page.goto(address);
  await expect(page.locator('input[name=login]')).toBeVisible();
  expect((await context.cookies(guarded.url)).map(({ name }) => name)).not.toContain(own.name);
  await signInAtProvider(page);
  await expect(page.getByRole('heading', { name: 'Runs', exact: true })).toBeVisible();
  expect(page.url()).toBe(address);
});

test('a browser that rejects cookies is not redirected in a loop', async ({ page, guarded }) => {
  const { origin } = new URL(guarded.url);
  await page.route('**/api/v2/auth/me', (route) =>
    route.fulfill({ status: 401, json: { code: 'unauthorized', message: 'Log in.' } }),
  );
  await page.goto(`${guarded.url}/#/dags`);
  await signInAtProvider(page);
  await expect(page.getByText('allow cookies for this site')).toBeVisible();
  expect(new URL(page.url()).origin).toBe(origin);
});

test('an expired session over unsaved work is renewed in another tab', async ({ page, guarded, context }) => {
  await page.goto(`${guarded.url}/#/dags`);
  await signInAtProvider(page);
  await page.getByRole('button', { name: 'Run sales-etl' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run sales-etl' });
  await dialog.getByLabel('PACE').fill('0');
  await context.clearCookies();
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
  const tab = await opened;
  await signInAtProvider(tab);
  await expect(tab.getByText('You are signed in')).toBeVisible();
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  const ui = new WebUi(page);
  await ui.expectRunStatus('Succeeded');
  await expect(page.getByText('PACE=0')).toBeVisible();
});

test('API tokens also work for users of a provider', async ({ page, guarded }) => {
  await page.goto(`${guarded.url}/#/dags`);
  await signInAtProvider(page);
  await new Account(page).goTo('API tokens');
  await page.getByRole('button', { name: 'New token…' }).click();
  await page.getByLabel('Name').fill('mine');
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByText('shown only once')).toBeVisible();
});
