import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { test } from './rig/browser-test.ts';
import { checkPage, goToHash } from './rig/check-page.ts';
import { ENGINE_FILE } from './rig/test-home.ts';

test('goes from an empty database to a request, with the example on the page', async ({
  page,
  pageErrors,
  ui,
  testHome,
}) => {
  test.setTimeout(180_000);
  await goToHash(ui.page, '#/gateway');
  await expect(page.getByRole('heading', { name: 'Starting the database…' })).toBeVisible();
  await checkPage(page, 'gateway-opening');
  await expect(page.getByRole('heading', { name: 'No tables yet' })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Show example' }).click();
  const example = page.getByRole('region', { name: 'Example' });
  await checkPage(page, 'gateway-empty');

  const sql = await example.locator('pre').first().innerText();
  writeFileSync(testHome.file('example.sql'), sql);
  const words = ['gateway', 'psql', '--file', testHome.file('example.sql'), '--engine-home', testHome.home];
  execFileSync(process.execPath, [ENGINE_FILE, ...words]);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('region', { name: 'table clients' }).getByText('Columns', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'table clients' })).toContainText('public.app_uuid');
  await checkPage(page, 'gateway-tables');
  await page.getByRole('tab', { name: 'Domains' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'app_uuid' })).toContainText('clients.id');
  await checkPage(page, 'gateway-domains');
  await page.getByRole('tab', { name: 'Functions' }).click();
  await checkPage(page, 'gateway-functions');

  await page.getByRole('tab', { name: 'Tables' }).click();
  await page.getByRole('button', { name: 'Try a request' }).click();
  await page.getByRole('button', { name: /Method/ }).click();
  await page.getByRole('option', { name: 'POST' }).click();
  await page.getByRole('textbox', { name: 'Body' }).fill('{"id": "hGxP/ZLOTeeNEY4pkp9OxA==", "name": "Ann"}');
  await page.getByRole('button', { name: 'Send' }).click();
  const response = page.getByRole('region', { name: 'Response' });
  await expect(response).toContainText('201 Created');
  await expect(response).toContainText('"id": "hGxP/ZLOTeeNEY4pkp9OxA=="');
  await page.getByRole('button', { name: /Method/ }).click();
  await page.getByRole('option', { name: 'GET' }).click();
  await page.getByRole('textbox', { name: 'Value' }).fill('hGxP/ZLOTeeNEY4pkp9OxA==');
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(response).toContainText('200 OK');
  await expect(response).toContainText('"name": "Ann"');
  await checkPage(page, 'gateway-request');

  await page.getByRole('textbox', { name: /^Path/ }).fill('/cliens');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(response).toContainText('404 Not Found');
  await checkPage(page, 'gateway-refusal');
  await goToHash(page, '#/gateway?view=nonsense');
  await expect(page.getByRole('tab', { name: 'Tables', selected: true })).toBeVisible();
  expect(pageErrors).toEqual([]);
});
