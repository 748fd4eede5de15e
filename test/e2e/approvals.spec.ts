import { expect, type Page } from '@playwright/test';
import { signInAs, password } from './rig/web-ui.ts';
import { sharedTest, test } from './rig/browser-test.ts';
import { checkPage, goToHash } from './rig/check-page.ts';
import type { EngineServer } from './rig/test-home.ts';

const ship = `params: VERSION=2.4
steps:
  - { name: build, command: echo "all 212 tests pass", output: REPORT }
  - name: ask
    type: approval
    config:
      question: Release \${VERSION} to production?
      details: \${REPORT}
      inputs: [TICKET, REASON]
      required: [TICKET]
    timeoutSec: 86400
    output: ANSWER
  - { name: release, command: 'echo "released for \${ANSWER.inputs.TICKET}"' }
`;

const clean = `steps:
  - { name: ask, type: approval, config: { question: Delete the old data? } }
  - { name: delete, command: echo deleted }
`;

async function start(page: Page, { url }: EngineServer, name: string): Promise<string> {
  const answer = await page.request.post(`${url}/api/v2/dags/${name}/start`, { data: {} });
  return ((await answer.json()) as { dagRunId: string }).dagRunId;
}

const rail = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Approvals/ });

sharedTest(
  'shows a run waiting for approval everywhere, and continues it after a response on its page',
  async ({ ui, server, testHome }) => {
    sharedTest.setTimeout(180_000);
    const { page } = ui;
    testHome.saveWorkflow('ship', ship);
    const id = await start(page, server, 'ship');
    await goToHash(page, `#/runs/ship/${id}?step=build`);
    await expect(ui.card('ask')).toHaveAccessibleName(/, running, waiting for approval,/);
    await expect(ui.card('ask').locator('..')).toContainText('Waiting for approval');
    await expect(rail(page)).toContainText('1');
    await expect(page).toHaveTitle(/1 waiting for approval/);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await expect(page.getByRole('treeitem', { name: /^ask, running, waiting for approval/ })).toBeVisible();
    await checkPage(page, 'approval-timeline');
    await page.getByRole('tab', { name: /^Steps/ }).click();
    await expect(ui.row('Release 2.4 to production?')).toContainText('Waiting for approval');
    await checkPage(page, 'approval-steps');
    await page.getByRole('tab', { name: 'Graph' }).click();

    // The notice leads to the form, which works with the keyboard alone.
    await page.getByRole('button', { name: 'Approve…' }).click();
    const panel = page.getByRole('region', { name: 'Step ask' });
    await expect(panel.getByText('all 212 tests pass')).toBeVisible();
    await expect(panel.getByLabel('TICKET')).toBeFocused();
    await checkPage(page, 'approval-open');
    await panel.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
    await expect(panel.getByText('Required', { exact: true })).toBeVisible();
    await expect(panel.getByLabel('TICKET')).toBeFocused();
    await page.keyboard.type('OPS-7');
    await panel.getByLabel('Comment').fill('Looks good');
    await panel.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
    await ui.expectRunStatus('Succeeded');
    const answer = panel.getByRole('group', { name: 'Answer' });
    await expect(answer).toContainText('Approved');
    await expect(answer).toContainText('Looks good');
    await expect(answer).toContainText('OPS-7');
    await expect(page.getByRole('button', { name: 'Approve…' })).toHaveCount(0);
    await expect(rail(page)).toHaveText('Approvals');
    await checkPage(page, 'approval-answered');
    await ui.openLog('release');
    await expect(ui.log).toContainText('released for OPS-7');
  },
);

sharedTest(
  'adds approvals to the list live; one is rejected there, another was answered elsewhere',
  async ({ ui, server, testHome, pageErrors }) => {
    sharedTest.setTimeout(180_000);
    const { page } = ui;
    testHome.saveWorkflow('ship', ship);
    testHome.saveWorkflow('clean', clean);
    await ui.goTo('Approvals');
    await expect(page.getByText('No approvals yet')).toBeVisible();
    await checkPage(page, 'approvals-none');
    await goToHash(page, '#/approvals?show=all');
    const first = await start(page, server, 'clean');
    const detail = page.getByRole('region', { name: 'ask of clean' });
    await expect(detail).toContainText('Delete the old data?');
    await start(page, server, 'ship');
    const list = page.getByRole('list', { name: 'Approvals' });
    await expect(list.getByRole('button')).toHaveCount(2);
    await expect(rail(page)).toContainText('2');
    await checkPage(page, 'approvals');

    await detail.getByLabel('Comment').fill('Not on a Friday');
    await detail.getByRole('button', { name: 'Reject' }).click();
    await expect(detail.getByRole('group', { name: 'Answer' })).toContainText('Rejected');
    await expect(list.getByRole('button').last()).toContainText('Delete the old data?');
    await expect(rail(page)).toContainText('1');
    await detail.getByRole('link', { name: /^Run/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'clean' })).toBeVisible();
    expect(await ui.place()).toContain(first);
    await ui.expectRunStatus('Failed');
    await expect(page.getByRole('region', { name: 'Step ask' })).toContainText('Not on a Friday');

    // Another user has responded between viewing and clicking.
    await goToHash(page, '#/approvals?show=open');
    const other = page.getByRole('region', { name: 'ask of ship' });
    await other.getByLabel('TICKET').fill('OPS-8');
    await page.route('**/approvals/*/answer', async (route) => {
      const request = route.request();
      await page.request.post(request.url(), { data: { decision: 'rejected', comment: 'I was first' } });
      await route.continue();
    });
    await other.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect(other.getByRole('alert')).toContainText('was already answered');
    await expect(other.getByRole('group', { name: 'Answer' })).toContainText('I was first');
    await checkPage(page, 'approvals-rejected-answer');
    // The browser itself reports each error response.
    pageErrors.length = 0;
  },
);

test('a viewer sees the question, and who may respond', async ({
  browser,
  page,
  serve,
  testHome,
  pageErrors,
}) => {
  testHome.saveWorkflow('clean', clean);
  await testHome.createUser('vic', 'viewer', password);
  await testHome.createUser('omar', 'operator', password);
  const server = await serve({ env: { AUTH_MODE: 'builtin' } });
  const omar = await signInAs(browser, server.url, 'omar');
  await omar.run('clean');
  const vic = await signInAs(browser, server.url, 'vic');
  await goToHash(vic.page, '#/approvals');
  const detail = vic.page.getByRole('region', { name: 'ask of clean' });
  await expect(detail).toContainText('Requires the operator role. Your role is viewer.');
  await expect(detail.getByRole('button')).toHaveCount(0);
  await omar.page
    .getByRole('region', { name: 'Step ask' })
    .getByRole('button', { name: 'Approve', exact: true })
    .click();
  await expect(detail.getByRole('group', { name: 'Answer' })).toContainText('by omar');
  for (const each of [omar, vic]) await each.page.context().close();
  pageErrors.length = 0;
  await page.close();
});
