import { expect, type Page } from '@playwright/test';
import { test } from './rig/editor-ui.ts';
import { checkPage } from './rig/check-page.ts';

// Room for canvas, code and form next to each other.
test.use({ viewport: { width: 2240, height: 1000 } });

test.beforeEach(async ({ page, editor: _editor }) => {
  await page.getByRole('button', { name: 'Open inspector' }).click();
});

const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' });

test('a field of the selected step changes one line', async ({ page, editor, workflow }) => {
  await editor.step('fetch').click();
  const pane = inspector(page);
  await expect(pane.getByRole('heading', { name: 'fetch' })).toBeVisible();
  const command = pane.getByRole('textbox', { name: 'Command' });
  await command.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' --all');
  await expect(editor.code).toContainText('command: echo "fetch" --all   # quick');
  await expect(editor.code).toContainText(`name: ${workflow.name}   # as the reports call it`);
  await page.getByRole('button', { name: 'Undo set command' }).click();
  await expect(command).toHaveText('echo "fetch"');
  await expect(editor.dirtyMark).toBeHidden();
});

const richText = `# Nightly load
name: sales
type: graph
timezone: Europe/Berlin
schedule: '30 6 * * 1-5'
env:
  - REGION=eu
  - LIMIT: 3
params: first KEY=value
secrets: [{name: DB_PASSWORD, provider: env, key: PROD_DB_PASSWORD}]
smtp:
  - {host: smtp.example.com, port: 587}
  - {host: backup.example.com}
errorMail: {to: [ops@example.com, dev@example.com]}
registryAuths:
  ghcr.io: {username: robot, password: "\${TOKEN}"}
steps:
  - name: fetch
    retryPolicy: &shared {limit: 4, intervalSec: 5, backoff: true}
    command: curl -sf "$URL" | tee out.json   # quick
    preconditions:
      - test -f ready
      - condition: \${STAGE}
        expected: re:^prod
  - name: ask
    type: http
    config: {timeout: 30, headers: {Accept: application/json}}
    command: GET https://example.com
    depends: [fetch]
  - name: pack
    container: {image: "alpine:3", volumes: ["./data:/data"]}
    command: [tar, czf, out.tgz, data]
    depends: [fetch]
    retryPolicy: *shared
    stdout: [wrong]
  - name: child
    run: inner
    parallel: {items: [eu, {region: us}], maxConcurrent: 2}
    depends: [ask, pack]
handlerOn:
  failure: ./report.sh
---
name: inner
env: {A: 1, B: 2}
steps:
  - name: deep   # kept
    command: echo deep
`;

test.describe(() => {
  test.use({ template: richText });

  test('every kind of target is shown, without serious violations', async ({ page, editor }) => {
    // A dozen scans of the whole page.
    test.slow();
    const pane = inspector(page);
    await page.keyboard.press('Escape');
    await expect(pane.getByRole('heading', { name: 'Workflow', exact: true })).toBeVisible();
    await expect(pane.getByText('At 06:30', { exact: false })).toBeVisible();
    await checkPage(page, 'inspector-workflow');
    for (const name of ['fetch', 'ask', 'pack', 'child']) {
      await editor.step(name).click();
      await expect(pane.getByRole('heading', { name, exact: true })).toBeVisible();
      await checkPage(page, `inspector-${name}`, '[aria-label="Inspector"]');
    }
    await editor.step('fetch').click();
    await editor.step('pack').click({ modifiers: ['Control'] });
    await expect(pane.getByRole('heading', { name: '2 steps' })).toBeVisible();
    await checkPage(page, 'inspector-bulk', '[aria-label="Inspector"]');
  });

  test('rows, choices and resets change only their lines; errors are shown at their fields', async ({
    page,
    editor,
  }) => {
    const pane = inspector(page);
    await editor.step('pack').click();
    await expect(pane.getByRole('textbox', { name: 'Stdout as YAML' })).toHaveAttribute(
      'aria-invalid',
      'true',
    );
    await expect(pane.getByText(/From &shared, line 19/).first()).toBeVisible();
    await pane.getByRole('searchbox', { name: 'Find a field' }).fill('timeout');
    await pane.getByRole('textbox', { name: 'Timeout' }).fill('1h 30m');
    await expect(editor.code).toContainText('timeoutSec: 5400');
    await expect(pane.getByText('1h 30m')).toBeVisible();
    await pane.getByRole('button', { name: 'Reset Timeout' }).click();
    await expect(editor.code).not.toContainText('timeoutSec');
    await pane.getByRole('searchbox', { name: 'Find a field' }).fill('');
    await pane.getByRole('textbox', { name: 'Add dependency' }).fill('ask');
    await pane.getByRole('button', { name: 'ask' }).click();
    await expect(editor.code).toContainText('depends: [fetch, ask]');
    await pane.getByRole('textbox', { name: 'Add dependency' }).fill('child');
    await expect(pane.getByText(/This would create a cycle/)).toBeVisible();
    await editor.step('fetch').click();
    await pane.getByRole('textbox', { name: 'Command of condition 1' }).fill('test -f go');
    await expect(editor.code).toContainText('- test -f go');
    await pane.getByRole('button', { name: 'Show Command in YAML' }).click();
    await expect(page.locator('[data-field="command"]')).toHaveAttribute('data-current', 'true');
  });

  test('edits another workflow of the file in every view', async ({ page, editor, workflow }) => {
    const pane = inspector(page);
    await editor.step('deep').click();
    await expect(pane.getByRole('heading', { name: 'deep', exact: true })).toBeVisible();
    await expect(editor.card('deep')).toHaveAttribute('aria-pressed', 'true');
    await pane.getByRole('textbox', { name: 'Name', exact: true }).fill('deepest');
    await page.keyboard.press('Enter');
    await expect(editor.step('deepest')).toHaveAttribute('aria-selected', 'true');
    await expect(editor.card('deepest')).toHaveAttribute('aria-pressed', 'true');
    await expect(editor.code).toContainText('- name: deepest   # kept');
    await editor.step('inner').click();
    await expect(pane.getByRole('heading', { name: 'Workflow', exact: true })).toBeVisible();
    const value = pane.getByRole('textbox', { name: 'Value of B' });
    await value.press('Alt+ArrowUp');
    await expect(editor.code).toContainText('env: {B: 2, A: 1}');
    await expect(pane.getByText('B is now 1 of 2.')).toBeAttached();
    await expect(value).toBeFocused();
    await pane.getByRole('button', { name: 'Remove A', exact: true }).click();
    await expect(editor.code).toContainText('env: {B: 2}');
    await checkPage(page, 'inspector-removed', '[aria-label="Inspector"]');
    await pane.getByRole('button', { name: 'Undo', exact: true }).click();
    await pane.getByRole('button', { name: 'Actions for A', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Show in YAML' }).click();
    await expect(pane.getByRole('listitem', { name: 'A', exact: true })).toHaveAttribute(
      'data-current',
      'true',
    );
    await editor.placeCursorAfter('name: deepest');
    await expect(editor.step('deepest')).toHaveAttribute('aria-selected', 'true');
    await pane.getByRole('combobox', { name: 'Workflow' }).selectOption(workflow.name);
    await expect(editor.card('fetch')).toBeVisible();
    await page.getByRole('button', { name: 'Undo move B' }).click();
    await page.getByRole('button', { name: 'Undo set name' }).click();
    await expect(editor.dirtyMark).toBeHidden();
    expect(workflow.read()).toBe(workflow.text);
  });

  test('bulk edits are one undo step', async ({ page, editor }) => {
    const pane = inspector(page);
    await editor.step('fetch').click();
    await editor.step('ask').click({ modifiers: ['Control'] });
    await expect(pane.getByRole('heading', { name: '2 steps' })).toBeVisible();
    await pane.getByRole('searchbox', { name: 'Find a field' }).fill('stdout');
    await pane.getByRole('textbox', { name: 'Stdout' }).fill('logs/out.txt');
    await expect(editor.code).toContainText(/stdout: logs\/out.txt[\s\S]*stdout: logs\/out.txt/);
    await page.getByRole('button', { name: 'Undo set stdout' }).click();
    await expect(editor.code).not.toContainText('logs/out.txt');
  });
});
