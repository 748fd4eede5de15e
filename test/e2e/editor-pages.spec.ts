import { expect } from '@playwright/test';
import { test } from './rig/editor-ui.ts';
import { checkPage } from './rig/check-page.ts';

const richText = `# Nightly load of the warehouse
name: warehouse
type: graph
tags: [etl, nightly]
schedule: "0 2 * * *"
params:
  - REGION: eu
env:
  - TARGET: "\${REGION}/out"

steps:
  - name: extract orders
    id: orders
    command: ./extract.sh orders "\${REGION}"   # the slow one
    retryPolicy:
      limit: 3
      intervalSec: 10
  - name: extract customers
    script: |
      #!/usr/bin/env bash
      set -eu
      curl -sf "https://example.com/customers" > customers.json
  - name: join
    depends: [extract orders, extract customers]
    command: python join.py --out "$TARGET"
    output: ROWS
  - name: publish
    depends: join
    type: http
    command: POST https://example.com/publish
    preconditions:
      - condition: "\${ROWS}"
        expected: "re:[1-9]"

handlerOn:
  failure: ./page-somebody.sh "\${DAG_RUN_ID}"
  exit: rm -rf tmp
`;

const manySteps = `steps:\n${Array.from({ length: 500 }, (_, index) => `  - name: step-${index + 1}\n    command: echo ${index + 1}\n`).join('')}`;

test('every state of the editor is accessible', async ({ page, editor, workflow, testHome }) => {
  test.setTimeout(240_000);
  testHome.saveWorkflow('warehouse', richText);
  testHome.saveWorkflow('many', manySteps);
  testHome.saveWorkflow('empty', '');
  await editor.open('warehouse');
  await expect(editor.card('join')).toBeVisible();
  await editor.step('join').click();
  await checkPage(page, 'editor-valid');
  await editor.placeCursorAfter('intervalSec: 10');
  await page.keyboard.press('Enter');
  await page.keyboard.type('limt: 4\n');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('co');
  await expect(page.getByRole('option').first()).toBeVisible();
  await checkPage(page, 'editor-completion');
  await page.keyboard.press('Escape');
  await editor.problems.click();
  await expect(page.getByRole('region', { name: 'Problems' }).getByRole('button').nth(1)).toBeVisible();
  await checkPage(page, 'editor-problems', '[aria-label="Problems"]');
  await editor.problems.click();
  await page.getByRole('button', { name: 'Review changes' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await checkPage(page, 'editor-review', '[role=dialog]');
  await page.getByRole('radio', { name: 'Side by side' }).click();
  await checkPage(page, 'editor-review-split', '[role=dialog]');
  await page.keyboard.press('Escape');
  testHome.saveWorkflow(
    'warehouse',
    richText.replace('intervalSec: 10', 'intervalSec: 60').replace('Nightly', 'Daily'),
  );
  await expect(page.getByText('The file has changed on disk')).toBeVisible();
  await checkPage(page, 'editor-conflict');
  await page.getByRole('button', { name: 'Merge…' }).click();
  await checkPage(page, 'editor-merge', '[role=dialog]');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Accept theirs' }).click();
  await page.getByRole('button', { name: 'Versions' }).click();
  await page.getByRole('option').last().click();
  await checkPage(page, 'editor-versions', '[role=dialog]');
  await page.keyboard.press('Escape');
  await editor.open('many');
  await expect(editor.step('step-1')).toBeVisible();
  await checkPage(page, 'editor-500');
  await editor.open('empty');
  await expect(page.getByRole('treegrid').getByText('No steps yet')).toBeVisible();
  await checkPage(page, 'editor-empty');
  await editor.open(workflow.name);
  await editor.placeCursorAfter('# quick');
  await page.keyboard.type('er');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
  await checkPage(page, 'editor-leave', '[role=dialog]');
});
