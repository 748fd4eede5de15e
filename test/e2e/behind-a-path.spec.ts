import { writeFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { makeCertificate } from '../harness/servers/certificates.ts';
import { Account, password, WebUi } from './rig/web-ui.ts';
import { test as browserTest } from './rig/browser-test.ts';
import { checkPage } from './rig/check-page.ts';
import type { EngineServer } from './rig/test-home.ts';

/** A server behind a proxy: HTTPS, a base path, and users. */
const test = browserTest.extend<{ remote: EngineServer }>({
  remote: async ({ testHome, serve }, use) => {
    await testHome.createUser('ann', 'admin', password);
    const { cert, key } = makeCertificate();
    const [certFile, keyFile] = [testHome.file('cert.pem'), testHome.file('key.pem')];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    const env = { AUTH_MODE: 'builtin', ENGINE_CERT_FILE: certFile, ENGINE_KEY_FILE: keyFile };
    await use(await serve({ env, options: ['--host', 'localhost', '--base-path', '/stepwright'] }));
  },
});
test.use({ ignoreHTTPSErrors: true });

/** Traffic: URLs outside the base path, and error responses. */
function watchRequests(page: Page, { url }: EngineServer): { strays: string[]; refusals: string[] } {
  const seen = { strays: [] as string[], refusals: [] as string[] };
  page.on('request', (request) => {
    if (request.url().startsWith('http') && !request.url().startsWith(`${url}/`))
      seen.strays.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) seen.refusals.push(`${response.status()} ${response.url()}`);
  });
  return seen;
}

/** Records every heading and landmark that the page ever shows, however briefly. */
async function watchPaint(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shown = new Set<string>();
    const look = (): void => {
      for (const element of document.querySelectorAll('h1, nav, aside'))
        shown.add(`${element.localName} ${element.localName === 'h1' ? element.textContent : ''}`.trim());
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
    Object.assign(window, { readShown: () => [...shown] });
  });
  return () => page.evaluate(() => (window as unknown as { readShown: () => string[] }).readShown());
}

test('shows only the sign-in form before sign-in, without error responses', async ({ page, remote }) => {
  const wire = watchRequests(page, remote);
  const readShown = await watchPaint(page);
  await page.goto(`${remote.url}/#/runs`);
  await expect(page.getByLabel('Username')).toBeFocused();
  expect(await readShown()).toEqual(['h1 Sign in']);
  await new Account(page).signIn('ann');
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
  await expect(page.getByText('Connected')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
  expect(await readShown()).not.toContain('h1 Sign in');
  await new Account(page).choose('Sign out');
  await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible();
  expect(wire).toEqual({ strays: [], refusals: [] });
});

test('serves every page below the base path, live and by URL', async ({
  page,
  remote,
  testHome,
  context,
}) => {
  const latch = testHome.gate('gate');
  testHome.saveWorkflow(
    'gated',
    `steps:\n  - name: wait\n    script: |\n      echo begun\n      ${latch.wait}\n`,
  );
  const wire = watchRequests(page, remote);
  expect(remote.url).toMatch(/^https:\/\/localhost:\d+\/stepwright$/);
  // Without the trailing slash, as people type it.
  await page.goto(remote.url);
  wire.strays.length = 0;
  await new Account(page).signIn('ann');
  const ui = new WebUi(page);
  await ui.goTo('Workflows');
  await expect(ui.row('gated')).toBeVisible();
  const [cookie] = await context.cookies(`${remote.url}/`);
  expect(cookie).toMatchObject({ secure: true, httpOnly: true, path: '/stepwright/' });

  const other = new WebUi(await context.newPage());
  await other.page.goto(`${remote.url}/#/runs`);
  await expect(other.page.getByRole('heading', { name: 'Runs' })).toBeVisible();
  await ui.run('gated');
  await ui.expectCard('wait', 'Running');
  await expect(ui.log).toContainText('begun');
  await expect(other.row('gated')).toContainText('Running');
  const address = page.url();
  latch.open();
  await ui.expectRunStatus('Succeeded');
  await expect(other.row('gated')).toContainText('Succeeded');

  const later = new WebUi(await context.newPage());
  await later.page.goto(address);
  await later.expectRunStatus('Succeeded');
  await later.page.reload();
  await expect(later.log).toContainText('begun');

  await ui.goTo('API reference');
  await page.getByRole('link', { name: 'dags.start' }).click();
  await expect(page.getByRole('heading', { name: 'dags.start' })).toBeVisible();
  await expect(page.getByText(`${remote.url}/api/v2/dags/`).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'dags.start' })).toBeVisible();
  expect(wire).toEqual({ strays: [], refusals: [] });
});

test('account pages fit their windows in both themes', async ({ page, remote, testHome }) => {
  test.setTimeout(180_000);
  for (const [name, role] of [
    ['bob.builder@example.com', 'operator'],
    ['zoë-with-a-name-as-long-as-names-may-become-here-or-nearly', 'viewer'],
    ['release-robot', 'manager'],
  ] as const)
    await testHome.createUser(name, role, password);
  await page.goto(remote.url);
  await expect(page.getByLabel('Username')).toBeFocused();
  await checkPage(page, 'remote-sign-in');
  const account = new Account(page);
  await account.signIn('ann');
  await account.goTo('Users');
  await expect(page.getByText('(you)')).toBeVisible();
  await checkPage(page, 'remote-users');
  await page.getByRole('button', { name: 'Rename release-robot' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await checkPage(page, 'remote-user-rename', '[role=dialog]');
  await page.keyboard.press('Escape');
  await account.goTo('API tokens');
  await expect(page.getByText('No API tokens yet')).toBeVisible();
  await checkPage(page, 'remote-tokens-none');
  for (const name of ['nightly deployment', 'grafana']) {
    await page.getByRole('button', { name: 'New token…' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
  }
  await checkPage(page, 'remote-tokens');
  await account.choose('Change password…');
  await expect(page.getByRole('dialog')).toBeVisible();
  await checkPage(page, 'remote-password', '[role=dialog]');
  await page.keyboard.press('Escape');
  await new WebUi(page).goTo('API reference');
  await page.getByRole('link', { name: 'users.create' }).click();
  await expect(page.getByRole('heading', { name: 'users.create' })).toBeVisible();
  await checkPage(page, 'remote-reference');
});
