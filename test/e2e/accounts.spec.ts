import { expect, type Page } from '@playwright/test';
import { Account, signInAs, password, WebUi } from './rig/web-ui.ts';
import { sharedTest, test as browserTest } from './rig/browser-test.ts';
import { checkPage } from './rig/check-page.ts';
import { startServer, TestHome, type EngineServer } from './rig/test-home.ts';

const builtin = { env: { AUTH_MODE: 'builtin' } };

interface Guarded {
  readonly testHome: TestHome;
  readonly server: EngineServer;
  readonly page: Page;
}

/**
 * A server with the admin ann and the viewers vic and wes, and its page, of the worker; not signed in. Tests leave its
 * users and tokens as they were, except for the password of wes.
 */
const test = browserTest.extend<{ guarded: EngineServer; account: Account }, { readonly shared: Guarded }>({
  shared: [
    async ({ browser }, use) => {
      const testHome = new TestHome();
      await testHome.createUser('ann', 'admin', password);
      for (const name of ['vic', 'wes']) await testHome.createUser(name, 'viewer', password);
      const server = await startServer(testHome.home, builtin);
      const page = await browser.newPage({ reducedMotion: 'reduce' });
      await page.goto(server.url);
      await use({ testHome, server, page });
      await page.close();
      await server.stop();
      testHome.remove();
    },
    { scope: 'worker' },
  ],
  testHome: async ({ shared }, use) => use(shared.testHome),
  context: async ({ shared }, use) => use(shared.page.context()),
  page: async ({ shared: { page }, viewport }, use) => {
    if (viewport) await page.setViewportSize(viewport);
    await use(page);
    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel('Username').waitFor();
  },
  guarded: async ({ shared, pageErrors }, use) => {
    await use(shared.server);
    // The browser itself reports each 401 and 403.
    const others = pageErrors.filter((error) => !/status of (401|403|404|409|429)/.test(error));
    pageErrors.splice(0, pageErrors.length, ...others);
  },
  account: async ({ page }, use) => {
    await use(new Account(page));
  },
});

browserTest(
  'creates the first admin on the server, and the page continues automatically',
  async ({ page, serve, testHome, pageErrors }) => {
    const { url } = await serve(builtin);
    await page.goto(`${url}/#/runs`);
    await expect(page.getByText('engine users create admin --role admin')).toBeVisible();
    await testHome.createUser('ann', 'admin', password);
    await new Account(page).signIn('ann');
    await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'ann Admin account menu' })).toBeVisible();
    pageErrors.length = 0;
  },
);

sharedTest('hides account pages when authentication is off', async ({ ui }) => {
  await expect(ui.row('sales-etl')).toBeVisible();
  await expect(ui.page.getByText('Connected')).toBeVisible();
  await expect(ui.page.getByRole('button', { name: /account menu$/ })).toHaveCount(0);
});

browserTest('works with basic authentication of the browser', async ({ serve, browser }) => {
  const httpCredentials = { username: 'ops', password };
  const { url } = await serve({ env: { AUTH_BASIC_USERNAME: 'ops', AUTH_BASIC_PASSWORD: password } });
  const context = await browser.newContext({ httpCredentials });
  const ui = new WebUi(await context.newPage());
  await ui.page.goto(`${url}/#/dags`);
  await expect(ui.row('sales-etl')).toBeVisible();
  await expect(ui.page.getByText('Connected')).toBeVisible();
  await context.close();
});

test('reports a wrong password; the right one leads to the requested page', async ({
  page,
  guarded,
  account,
}) => {
  await page.goto(`${guarded.url}/#/dags/sales-etl`);
  await account.signIn('ann', 'guess');
  await expect(page.getByRole('alert')).toHaveText('Wrong username or password.');
  await account.signIn('ANN');
  await expect(page.getByRole('heading', { level: 1, name: 'sales-etl' })).toBeVisible();
});

test('renews an expired session over unsaved work, which continues live', async ({
  page,
  guarded,
  account,
  testHome,
  context,
}) => {
  const latch = testHome.gate('gate');
  testHome.saveWorkflow(
    'gated',
    `params: NOTE=none\nsteps:\n  - name: wait\n    script: |\n      echo "note $NOTE"\n      ${latch.wait}\n`,
  );
  await page.goto(`${guarded.url}/#/dags`);
  await account.signIn('ann');
  const ui = new WebUi(page);
  await page.getByRole('button', { name: 'Run gated' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run gated' });
  await dialog.getByLabel('NOTE').fill('typed before');
  await context.clearCookies();
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Username')).toHaveValue('ann');
  await account.signIn('ann');
  await expect(page.getByRole('heading', { level: 1, name: 'gated' })).toBeVisible();
  await expect(ui.log).toContainText('note typed before');
  await expect(page.getByTitle('Trigger and user')).toHaveText('API · ann');
  latch.open();
  await ui.expectRunStatus('Succeeded');
});

test('signing out closes the page and its streams immediately', async ({ page, guarded, account }) => {
  await page.goto(`${guarded.url}/#/runs`);
  await account.signIn('ann');
  await account.choose('Sign out');
  await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible();
  expect((await page.request.get(`${guarded.url}/api/v2/auth/me`)).status()).toBe(401);
  await account.signIn('vic');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page.getByText('Connected')).toBeVisible();
});

test('a viewer sees everything and why it is read-only', async ({ page, guarded, account }) => {
  await page.goto(`${guarded.url}/#/dags`);
  await account.signIn('vic');
  const run = page.getByRole('button', { name: 'Run sales-etl' });
  await expect(run).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Tab');
  await run.focus();
  await expect(page.getByRole('tooltip')).toHaveText('Requires the operator role. Your role is viewer.');
  const menu = page.getByRole('button', { name: 'vic Viewer account menu' });
  await menu.click();
  await expect(page.getByRole('menuitem')).toHaveText(['Change password…', 'Sign out']);
  await page.keyboard.press('Escape');
  // Also where the navigation shows icons only, in the editor, and in the menu of a narrow window.
  await page.goto(`${guarded.url}/#/dags/sales-etl/edit`);
  await expect(page.getByText('You do not have permission to edit workflows')).toBeVisible();
  await expect(menu).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 640, height: 400 });
  const ui = new WebUi(page);
  await ui.openMenu();
  await menu.scrollIntoViewIfNeeded();
  await expect(menu).toBeInViewport({ ratio: 1 });
  await page.goto(`${guarded.url}/#/audit`);
  await expect(page.getByText('Only admins can view the audit log')).toBeVisible();
  await page.goto(`${guarded.url}/#/users`);
  await expect(page.getByText('Only admins can manage users')).toBeVisible();
  // One of the last entries of a navigation that overflows.
  await page.goto(`${guarded.url}/#/settings`);
  await ui.openMenu();
  await expect(page.locator('nav [aria-current="page"]')).toBeInViewport({ ratio: 1 });
});

test('an admin adds a user, changes the role, resets the password and removes the user', async ({
  page,
  guarded,
  account,
  browser,
}) => {
  await page.goto(`${guarded.url}/#/dags`);
  await account.signIn('ann');
  await account.goTo('Users');
  await page.getByRole('button', { name: 'New user…' }).click();
  await page.getByLabel('Username').fill('oli');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create user' }).click();
  const row = new WebUi(page).row('oli');
  await expect(row).toContainText('Viewer');

  const oli = await signInAs(browser, guarded.url, 'oli');
  await row.getByRole('button', { name: /Role of oli/ }).click();
  await page.getByRole('option', { name: 'Operator' }).click();
  await expect(row).toContainText('Also start, stop');
  await oli.page.reload();
  await oli.run('sales-etl', { PACE: '0' });
  await oli.expectRunStatus('Succeeded');

  await row.getByRole('button', { name: 'Rename oli' }).click();
  await page.getByLabel('Username').fill('olivia');
  await page.getByRole('button', { name: 'Rename user' }).click();
  const renamed = new WebUi(page).row('olivia');
  await expect(renamed).toBeVisible();
  await oli.page.reload();
  await expect(oli.page.getByRole('button', { name: 'olivia Operator account menu' })).toBeVisible();

  await renamed.getByRole('button', { name: 'Reset password for olivia' }).click();
  await page.getByLabel('New password', { exact: true }).fill('another secret');
  await page.getByRole('button', { name: 'Reset password', exact: true }).click();
  await expect(page.getByText('Password reset for olivia')).toBeVisible();
  const ended = oli.page.getByText('Your session has ended');
  await expect(async () => {
    // A page that opens a dialog says so itself, and its buttons are then unreachable.
    if (!(await ended.isVisible()))
      await oli.page.getByRole('button', { name: 'Rerun…' }).click({ timeout: 2000 });
    await expect(ended).toBeVisible({ timeout: 2000 });
  }).toPass();

  await renamed.getByRole('button', { name: 'Delete olivia' }).click();
  await page.getByRole('button', { name: 'Delete user' }).click();
  await expect(renamed).toHaveCount(0);
  await new Account(oli.page).signIn('olivia', 'another secret');
  await expect(oli.page.getByRole('alert')).toHaveText('Wrong username or password.');
  await oli.page.context().close();
});

test('users cannot remove themselves, and the last admin stays an admin', async ({
  page,
  guarded,
  account,
}) => {
  await page.goto(`${guarded.url}/#/users`);
  await account.signIn('ann');
  await expect(page.getByText('(you)')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete ann' })).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('button', { name: /Role of ann/ }).click();
  await page.getByRole('option', { name: 'Viewer' }).click();
  await page.getByRole('button', { name: 'Change to viewer' }).click();
  await expect(page.getByRole('alert')).toContainText('"ann" is the only admin');
});

test('changes the own password without being signed out', async ({ page, guarded, account }) => {
  await page.goto(`${guarded.url}/#/dags`);
  await account.signIn('wes');
  await account.choose('Change password…');
  await page.getByLabel('Current password', { exact: true }).fill('not it');
  await page.getByLabel('New password', { exact: true }).fill('brand new secret');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByLabel('Current password', { exact: true })).toHaveAccessibleDescription(
    'The current password is wrong.',
  );
  await page.getByLabel('Current password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'wes Viewer account menu' })).toBeVisible();
  await account.choose('Sign out');
  await account.signIn('wes', 'brand new secret');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('shows a token once, accepts it, and revokes it', async ({ page, guarded, account, playwright }) => {
  await page.goto(`${guarded.url}/#/tokens`);
  await account.signIn('ann');
  await expect(page.getByText('No API tokens yet')).toBeVisible();
  await page.getByRole('button', { name: 'New token…' }).click();
  await page.getByLabel('Name').fill('ci');
  await page.getByRole('button', { name: 'Create token' }).click();
  const secret = await page.getByRole('dialog').getByText(/^swt_/).textContent();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(secret!)).toHaveCount(0);

  const script = await playwright.request.newContext({
    extraHTTPHeaders: { authorization: `Bearer ${secret}` },
  });
  const read = async (): Promise<number> => (await script.get(`${guarded.url}/api/v2/dags`)).status();
  expect(await read()).toBe(200);
  expect((await script.post(`${guarded.url}/api/v2/dags/sales-etl/start`, { data: {} })).status()).toBe(403);
  await page.getByRole('button', { name: 'Revoke ci' }).click();
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await expect(page.getByText('No API tokens yet')).toBeVisible();
  expect(await read()).toBe(401);
  await script.dispose();
});

test('account pages are accessible in both themes', async ({ page, guarded, account, context }) => {
  test.setTimeout(180_000);
  await page.goto(`${guarded.url}/#/dags`);
  await expect(page.getByLabel('Username')).toBeFocused();
  await account.signIn('ann', 'guess');
  await expect(page.getByRole('alert')).toBeVisible();
  await checkPage(page, 'sign-in');
  await account.signIn('ann');
  await account.goTo('Users');
  await expect(page.getByText('(you)')).toBeVisible();
  await checkPage(page, 'users');
  await page.getByRole('button', { name: 'New user…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await checkPage(page, 'user-new', '[role=dialog]');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete vic' }).click();
  await checkPage(page, 'user-delete', '[role=dialog]');
  await page.keyboard.press('Escape');
  await account.goTo('API tokens');
  await expect(page.getByText('No API tokens yet')).toBeVisible();
  await page.getByRole('button', { name: 'New token…' }).click();
  await page.getByLabel('Name').fill('ci');
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByText('shown only once')).toBeVisible();
  await checkPage(page, 'token-secret', '[role=dialog]');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(new WebUi(page).row('ci')).toBeVisible();
  await checkPage(page, 'tokens');
  await page.getByRole('button', { name: 'Revoke ci' }).click();
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await expect(page.getByText('No API tokens yet')).toBeVisible();
  await page.getByRole('button', { name: /account menu$/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await checkPage(page, 'account-menu', '[role=menu]');
  await page.getByRole('menuitem', { name: 'Change password…' }).click();
  await page.getByLabel('Current password', { exact: true }).fill(password);
  await page.getByLabel('New password', { exact: true }).fill(password);
  await context.clearCookies();
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Your session has ended')).toBeVisible();
  await checkPage(page, 'session-ended', '[role=dialog]');
});
