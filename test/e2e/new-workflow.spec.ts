import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { signInAs, password, NewWorkflowUi } from './rig/web-ui.ts';
import { sharedTest, test as base } from './rig/browser-test.ts';
import { checkPage } from './rig/check-page.ts';
import { ROOT, type TestHome } from './rig/test-home.ts';

const salesWorkflow = 'steps:\n  - name: fetch\n    command: echo fetch\n';
const scriptText = `#!/bin/bash
# Loads the sales of the day

set -euo pipefail

# Fetch
DAY=$(date +%F)
curl -fsS -o data.csv "https://example.com/$DAY.csv"

# Load
wc -l data.csv "$DAY"
`;
const crontabText = `MAILTO=ops@example.com
# Back up the database
30 6 * * 1-5 /usr/local/bin/backup.sh --all
0 * * * * /usr/local/bin/sync.sh
nonsense
@reboot /opt/agent start
`;
const makefileText = `OUT ?= dist

# Everything
all: test

# The program
build:
\tmkdir -p $(OUT)
\techo built > $(OUT)/program

# Looks whether it works
test: build
\ttest -s $(OUT)/program
`;
const brokenText = 'steps:\n  - name: fetch\n    comand: echo fetch\n';

const fileOf = ({ home }: TestHome, name: string): string => path.join(home, 'dags', `${name}.yaml`);
const read = (testHome: TestHome, name: string): string => readFileSync(fileOf(testHome, name), 'utf8');

const test = sharedTest.extend<{ readonly begin: NewWorkflowUi }>({
  begin: async ({ testHome, page, ui: _ui }, use) => {
    testHome.saveWorkflow('sales', salesWorkflow);
    await expect(page.getByRole('link', { name: 'sales', exact: true })).toBeVisible();
    await use(new NewWorkflowUi(page));
  },
});

test('creates a blank workflow by its proposed name or another, and opens an empty canvas', async ({
  begin,
  testHome,
}) => {
  await begin.open();
  await expect(begin.name).toBeFocused();
  await expect(begin.name).toHaveValue('my-workflow');
  await begin.name.fill('a b');
  await expect(begin.page.getByText('Invalid character: space')).toBeVisible();
  await begin.name.fill('sales');
  await expect(begin.page.getByText('Workflow "sales" already exists.')).toBeVisible();
  await expect(begin.create).toHaveAttribute('aria-disabled', 'true');
  await begin.name.fill('greet');
  await begin.createAndOpen('greet');
  await expect(begin.page.getByRole('button', { name: 'Add first step' }).first()).toBeVisible();
  expect(read(testHome, 'greet')).toBe('steps: []\n');
});

test('finds and selects a template, and copies it with the entered default', async ({ begin, testHome }) => {
  await begin.open('Template');
  await begin.page.getByRole('searchbox', { name: 'Search templates' }).fill('pg_dump');
  const templates = begin.page.getByRole('listbox', { name: 'Templates' });
  await expect(templates.getByRole('option')).toHaveCount(1);
  await templates.getByRole('option', { name: 'Database dump' }).click();
  await expect(begin.name).toHaveValue('database-dump');
  await expect(begin.create).toHaveAttribute('aria-disabled', 'true');
  await begin.page.getByRole('textbox', { name: 'Database', exact: false }).fill('shop');
  await expect(begin.preview.getByText(/^Valid/)).toBeVisible();
  await begin.createAndOpen('database-dump');
  expect(read(testHome, 'database-dump')).toBe(
    readFileSync(path.join(ROOT, 'resources/templates/database-dump.yaml'), 'utf8').replace(
      'title: Database, required: true }',
      'title: Database, required: true, default: shop }',
    ),
  );
});

test('converts a shell script to one step, or to a step per section with its differences', async ({
  begin,
  testHome,
}) => {
  await begin.open('Shell script');
  await begin.drop({ name: 'load-sales.sh', text: scriptText });
  await expect(begin.name).toHaveValue('load-sales');
  await expect(begin.preview.getByText('Valid, 1 step')).toBeVisible();
  await begin.page.getByRole('radio', { name: 'One step per section' }).click();
  await expect(begin.preview.getByText('Valid, 2 steps')).toBeVisible();
  await expect(begin.preview.getByRole('list', { name: 'Import notes' })).toContainText('DAY');
  await begin.createAndOpen('load-sales');
  expect(read(testHome, 'load-sales')).toContain('- name: Load\n');
});

test('creates the selected jobs of a crontab, even if one is rejected', async ({
  begin,
  testHome,
  pageErrors,
}) => {
  await begin.drop({ name: 'crontab', text: crontabText });
  await expect(begin.page).toHaveURL(/\/new\/crontab$/);
  const jobs = begin.page.getByRole('region', { name: 'Jobs' });
  await expect(jobs.getByRole('listitem')).toHaveCount(3);
  await expect(begin.preview.getByText(/Line 5 was skipped/)).toBeVisible();
  await jobs.getByRole('checkbox', { name: 'Create agent' }).uncheck();
  await jobs.getByLabel('Name of job 1').fill('nightly');
  // Another user takes this name first.
  testHome.saveWorkflow('sync', salesWorkflow);
  await begin.create.click();
  await expect(jobs.getByText('Open nightly in the editor')).toBeVisible();
  await expect(jobs.getByText('Workflow "sync" already exists.').first()).toBeVisible();
  expect(read(testHome, 'sync')).toBe(salesWorkflow);
  await jobs.getByLabel('Name of job 2').fill('hourly');
  await begin.create.click();
  await expect(jobs.getByText('Open hourly in the editor')).toBeVisible();
  await expect(begin.page.getByRole('button', { name: 'Done' })).toBeVisible();
  expect(existsSync(fileOf(testHome, 'agent'))).toBe(false);
  expect(read(testHome, 'nightly')).toContain('schedule: 30 6 * * 1-5\n');
  // The browser reports every error response.
  pageErrors.splice(0);
});

test('selects a makefile target with its prerequisites', async ({ begin, testHome }) => {
  await begin.open('Makefile');
  await begin.source('Makefile').fill(makefileText);
  const targets = begin.page.getByRole('listbox', { name: 'Target' });
  await expect(targets.getByRole('option', { name: /^all/ })).toHaveAttribute('aria-selected', 'true');
  await targets.getByRole('option', { name: /^test/ }).click();
  await expect(begin.name).toHaveValue('test');
  await expect(begin.preview.getByText('Valid, 2 steps')).toBeVisible();
  await begin.createAndOpen('test');
  expect(read(testHome, 'test')).toContain('description: Looks whether it works\n');
});

test('shows a dropped workflow with an error and its line, and writes nothing until it is fixed', async ({
  begin,
  testHome,
}) => {
  await begin.drop({ name: 'load.yml', text: brokenText });
  await expect(begin.name).toHaveValue('load');
  const problem = begin.preview.getByRole('button', { name: /3:5.*comand/ });
  await expect(problem).toBeVisible();
  await problem.click();
  await expect(begin.create).toHaveAttribute('aria-disabled', 'true');
  await begin.create.click({ force: true });
  expect(existsSync(fileOf(testHome, 'load'))).toBe(false);
  await begin.source('Workflow file').fill(brokenText.replace('comand', 'command'));
  await expect(begin.preview.getByText('Valid, 1 step')).toBeVisible();
  await begin.createAndOpen('load');
});

test('writes a dropped workflow byte for byte', async ({ begin, testHome }) => {
  const text = '\uFEFF# Mine  \r\nname: "inner"\r\nsteps: [ { name: a, command: echo a } ]   # so\r\n';
  await begin.drop({ name: 'sales.yaml', text });
  await expect(begin.name).toHaveValue('sales-2');
  await expect(begin.preview.getByText('Valid, 1 step')).toBeVisible();
  await begin.create.click();
  await begin.page.waitForURL(/\/dags\/sales-2\/edit$/);
  expect(read(testHome, 'sales-2')).toBe(text);
});

test('rejects an unsupported file with the reason', async ({ begin }) => {
  await begin.drop({ name: 'notes.txt', text: 'Buy milk\n' });
  await expect(begin.page.getByRole('alert')).toContainText('Unknown file type: notes.txt');
});

base(
  'explains to a user without permission why creating is disabled',
  async ({ browser, testHome, serve }) => {
    await testHome.createUser('ann', 'admin', password);
    await testHome.createUser('vic', 'viewer', password);
    const server = await serve({ env: { AUTH_MODE: 'builtin' } });
    const ui = await signInAs(browser, server.url, 'vic');
    await ui.page.getByRole('button', { name: 'New workflow' }).first().hover();
    await expect(ui.page.getByRole('tooltip')).toContainText(/Requires the \w+ role/);
    await ui.page.close();
  },
);

test('every way to create a workflow is accessible in both themes', async ({ begin, page }) => {
  test.setTimeout(200_000);
  await checkPage(page, 'new-from-list');
  await begin.open();
  await begin.name.fill('sales');
  await expect(page.getByText('Workflow "sales" already exists.')).toBeVisible();
  await checkPage(page, 'new-blank');
  await begin.switchTo('Template');
  await page.getByRole('option', { name: 'CSV pipeline' }).click();
  await expect(begin.preview.getByText(/^Valid/)).toBeVisible();
  await checkPage(page, 'new-template');
  await page.getByRole('radio', { name: 'Graph' }).click();
  await expect(begin.preview.getByRole('button', { name: /^step fetch,/ })).toBeVisible();
  await checkPage(page, 'new-template-graph');
  await page.getByRole('radio', { name: 'YAML' }).click();
  await begin.switchTo('YAML file');
  await checkPage(page, 'new-yaml-empty');
  for (const [name, text, sign] of [
    ['load.sh', scriptText, /^Valid/],
    ['crontab', crontabText, /^Valid/],
    ['Makefile', makefileText, /^Valid/],
    ['load.yaml', brokenText, /comand/],
  ] as const) {
    await begin.drop({ name, text });
    await expect(begin.preview.getByText(sign).first()).toBeVisible();
    await checkPage(page, `new-${name.replace('.', '-')}`);
  }
});
