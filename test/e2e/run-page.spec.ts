import { writeFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { sharedTest as test } from './rig/browser-test.ts';
import { checkPage, goToHash } from './rig/check-page.ts';
import type { EngineServer } from './rig/test-home.ts';

const child = `steps:
  - { name: prepare, command: echo prepared }
  - { name: deeper, run: grandchild }
`;
const grandchild = `steps:
  - { name: leaf, command: echo from the leaf }
`;

const pipeline = (tried: string, secret: string): string => `type: graph
description: Loads the orders
tags: [nightly]
params: DAY=2026-01-01 REGION=north
env:
  - TARGET: "bucket/\${REGION}"
secrets: [{ name: TOKEN, provider: file, key: '${secret}' }]
steps:
  - name: fetch
    command: echo rows
    output: ROWS
  - name: flaky
    depends: fetch
    script: |
      if [ -e '${tried}' ]; then echo "there it is"; exit 0; fi
      touch '${tried}'
      echo "nobody answers" >&2
      exit 75
    retryPolicy: { limit: 2, intervalSec: 0 }
  - { name: call, depends: fetch, run: child }
  - name: weekend
    depends: fetch
    preconditions:
      - { condition: "\${REGION}", expected: south }
    command: echo weekend
  - { name: verify, depends: [flaky, call], command: "echo differs >&2; exit 3" }
  - { name: publish, depends: verify, command: echo never }
`;

async function start(
  page: Page,
  { url }: EngineServer,
  name: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await page.request.post(`${url}/api/v2/dags/${name}/start`, { data: {}, headers });
  return ((await answer.json()) as { dagRunId: string }).dagRunId;
}

const traceId = '0af7651916cd43dd8448eb211c80319c';

test('reads a run by links and by keyboard, and every view has a URL', async ({ ui, server, testHome }) => {
  test.setTimeout(180_000);
  const { page } = ui;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  testHome.saveWorkflow('child', child);
  testHome.saveWorkflow('grandchild', grandchild);
  writeFileSync(testHome.file('secret'), 'hunter2-secret');
  testHome.saveWorkflow('pipeline', pipeline(testHome.file('tried'), testHome.file('secret')));
  const id = await start(page, server, 'pipeline', { traceparent: `00-${traceId}-b7ad6b7169203331-01` });
  await goToHash(page, `#/runs/pipeline/${id}`);
  await ui.expectRunStatus('Failed');
  const trace = page.getByTitle(`Trace ID ${traceId}`);
  await expect(page.getByTitle('Trigger')).toHaveText('API');
  await expect(trace).toContainText('0af76519…');
  await trace.getByRole('button', { name: 'Copy trace ID' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(traceId);
  const panel = (step: string) => page.getByRole('region', { name: `Step ${step}` });

  // The failure is shown first, with its reason and its log; the reason links further.
  await expect(page.getByRole('alert')).toContainText('exit code 3');
  await expect(panel('verify')).not.toContainText('exit code 3');
  await expect(ui.log).toContainText('differs');
  await ui.card('publish').click();
  await expect(panel('publish')).toContainText('step "verify" failed');
  await panel('publish').getByRole('button', { name: 'verify', exact: true }).click();
  await expect(panel('verify')).toBeVisible();
  await ui.card('weekend').click();
  await expect(panel('weekend')).toContainText('was "north", expected "south"');
  await checkPage(page, 'run-graph');

  // The attempt of a step is in the URL, and restored after a reload.
  await ui.card('flaky').click();
  await page.getByRole('radio', { name: 'Attempt 1' }).click();
  await expect(ui.log).toContainText('nobody answers');
  expect(await ui.place()).toContain('step=flaky&attempt=1');
  await page.reload();
  await expect(ui.log).toContainText('nobody answers');

  // The timeline by keyboard alone, down to the step of a nested sub-run.
  await page.getByRole('tab', { name: 'Graph' }).focus();
  await page.keyboard.press('ArrowRight');
  const tree = page.getByRole('tree', { name: 'Timeline' });
  const row = (name: RegExp) => tree.getByRole('treeitem', { name });
  await expect(row(/^verify, failed.*critical path/)).toBeVisible();
  await row(/^fetch/).focus();
  for (let steps = 0; steps < 8; steps += 1) {
    const focused = await page.evaluate(() => document.activeElement?.textContent ?? '');
    if (focused.startsWith('call')) break;
    await page.keyboard.press('j');
  }
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(row(/^run of child/)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(row(/^deeper/)).toHaveAttribute('aria-expanded', 'false');
  await row(/^deeper/).press('ArrowRight');
  await row(/^run of grandchild/).press('ArrowRight');
  await row(/^leaf/).press('Enter');
  await expect(panel('leaf')).toContainText('Sub-run');
  await expect(ui.log).toContainText('from the leaf');
  await page.keyboard.press('+');
  await expect(page.getByRole('button', { name: 'Reset zoom (0)' })).toBeEnabled();
  await page.keyboard.press('0');
  // Also by dragging over a part of the axis.
  const whole = page.getByRole('button', { name: 'Reset zoom (0)' });
  await expect(whole).toBeDisabled();
  const axis = page.getByTitle(/^Drag to zoom/);
  const scale = (await axis.boundingBox())!;
  await page.mouse.move(scale.x + scale.width * 0.3, scale.y + scale.height / 2);
  await page.mouse.down();
  await page.mouse.move(scale.x + scale.width * 0.6, scale.y + scale.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(whole).toBeEnabled();
  await axis.dblclick();
  await expect(whole).toBeDisabled();
  await checkPage(page, 'run-timeline-open');

  // Up again from the deepest run, with all its parents in the breadcrumb.
  await panel('leaf')
    .getByRole('link', { name: /grandchild/ })
    .click();
  const back = page.getByRole('navigation', { name: 'Breadcrumb' });
  await expect(back.getByRole('link')).toHaveText(['Runs', 'pipeline', 'child']);
  await expect(page.getByTitle('Trigger')).toHaveText('Parent run');
  await expect(trace).toBeVisible();
  await back.getByRole('link', { name: 'pipeline' }).click();

  // Values, definition, details and steps.
  await page.getByRole('tab', { name: 'Values' }).click();
  const values = page.getByRole('region', { name: 'Run values' });
  await expect(values).toContainText('bucket/north');
  await expect(values.getByRole('region', { name: 'Outputs' })).toContainText('rows');
  await expect(values.getByRole('region', { name: 'Secrets' })).toContainText('TOKEN******* from file');
  await expect(values).not.toContainText('hunter2');
  await panel('verify').getByRole('tab', { name: 'Details' }).click();
  await expect(panel('verify').getByRole('region', { name: 'Command' })).toContainText('echo differs');
  await checkPage(page, 'run-values');
  await page.getByRole('tab', { name: /^Steps/ }).click();
  await page.getByRole('radio', { name: /^Failed or aborted/ }).click();
  await expect(page.getByRole('row')).toHaveCount(3);
  await checkPage(page, 'run-steps');
  await page.getByRole('tab', { name: 'YAML' }).click();
  await expect(page.getByText('The file has not changed')).toBeVisible();
});

test('kills, marks, retries, reruns and deletes a run, each after a preview', async ({
  ui,
  server,
  testHome,
}) => {
  test.setTimeout(120_000);
  const { page } = ui;
  const ready = testHome.file('ready');
  testHome.saveWorkflow(
    'gated',
    `params: NAME=first
steps:
  - { name: load, command: echo "$NAME" }
  - { name: wait, script: "until [ -e '${ready}' ]; do sleep 0.1; done; echo through" }
  - { name: report, command: echo sent }
`,
  );
  const id = await start(page, server, 'gated');
  await goToHash(page, `#/runs/gated/${id}?step=wait`);
  await ui.expectCard('wait', 'Running');
  await page.getByRole('tab', { name: 'Resources' }).click();
  await expect(page.getByRole('img', { name: /^Memory: now/ })).toBeVisible({ timeout: 20_000 });
  await checkPage(page, 'run-resources');
  await page.getByRole('tab', { name: 'Graph' }).click();

  // While the run is active no step can be rerun, and the reason is shown.
  const again = page.getByRole('button', { name: 'Rerun step…' });
  await expect(again).toHaveAttribute('aria-disabled', 'true');
  await again.focus();
  await expect(page.getByRole('tooltip')).toContainText('when the run has finished');

  await page.getByRole('button', { name: 'More stop options' }).click();
  await page.getByRole('menuitem', { name: 'Kill now…' }).click();
  const kill = page.getByRole('dialog', { name: 'Kill this run of gated' });
  await expect(kill).toContainText('The step wait');
  await expect(kill.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await kill.getByRole('button', { name: 'Kill now' }).click();
  await ui.expectRunStatus('Aborted');

  // A step marked as succeeded is reused by the retry, whose plan says so.
  await page.getByRole('button', { name: 'Mark wait as…' }).click();
  await page.getByRole('button', { name: 'Mark as succeeded' }).click();
  await ui.expectCard('wait', 'Succeeded');
  await page.getByRole('button', { name: 'Retry…' }).click();
  const retry = page.getByRole('dialog', { name: 'Retry gated' });
  await expect(retry.getByRole('region', { name: 'Rerun (1)' })).toContainText('report');
  await retry.getByRole('button', { name: 'Run 1 step' }).click();
  await ui.expectRunStatus('Succeeded');

  // Rerun with another parameter, after viewing how the file has changed since.
  testHome.saveWorkflow(
    'gated',
    'params: NAME=first\nsteps:\n  - { name: load, command: echo "now $NAME" }\n',
  );
  await page.getByRole('button', { name: 'Rerun…' }).click();
  const anew = page.getByRole('dialog', { name: 'Rerun gated' });
  await anew.getByRole('radio', { name: 'Changes' }).click();
  await expect(anew.getByRole('textbox', { name: 'Changes' })).toContainText('now $NAME');
  await anew.getByRole('radio', { name: 'Parameters', exact: true }).click();
  await anew.getByLabel('NAME').fill('second');
  await checkPage(page, 'run-again', '[role=dialog]');
  await anew.getByRole('button', { name: 'Run 1 step' }).click();
  await expect(ui.log).toContainText('now second');

  await page.getByRole('button', { name: 'More rerun options' }).click();
  await page.getByRole('menuitem', { name: 'Delete run…' }).click();
  const remove = page.getByRole('dialog', { name: 'Delete this run of gated' });
  await expect(remove.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await remove.getByRole('button', { name: 'Delete run' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
});
