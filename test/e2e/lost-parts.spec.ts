import { expect } from '@playwright/test';
import { test } from './rig/browser-test.ts';
import { EditorUi, salesWorkflow } from './rig/editor-ui.ts';

test('the page loads completely although each of its files fails once, as when a network changes', async ({
  page,
  pageErrors,
  ui,
  testHome,
}) => {
  testHome.saveWorkflow('sales', salesWorkflow);
  await expect(ui.page.getByRole('link', { name: 'sales', exact: true })).toBeVisible();
  const lost = new Set<string>();
  await page.route('**/assets/**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (lost.has(pathname)) return route.continue();
    lost.add(pathname);
    return route.abort('failed');
  });
  const editor = new EditorUi(page);
  await editor.open('sales');
  await expect(editor.step('fetch')).toBeVisible();
  await expect(editor.card('fetch')).toBeVisible();
  const kinds = [/editor-page.*\.js$/, /editor-page.*\.css$/, /document-thread.*\.js$/];
  for (const kind of kinds) expect([...lost]).toContainEqual(expect.stringMatching(kind));
  const styles = page.locator('link[rel=stylesheet]');
  expect(
    await styles.evaluateAll((links) => links.every((link) => (link as HTMLLinkElement).sheet !== null)),
  ).toBe(true);
  expect(pageErrors.every((error) => error.startsWith('Failed to load resource'))).toBe(true);
  pageErrors.length = 0;
});
