import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { sharedTest, test } from './rig/browser-test.ts';
import { checkPage } from './rig/check-page.ts';

/** A webhook consumer that can respond 503. */
async function startSink() {
  const got: { event: string; signature: string | undefined; body: string }[] = [];
  let isBusy = false;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { headers } = request;
      const signature = headers['x-hub-signature-256'];
      got.push({ event: String(headers['x-platform-event']), signature: signature?.toString(), body });
      response.writeHead(isBusy ? 503 : 200, { 'content-type': 'application/json' }).end('{"taken":true}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    got,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    setBusy: (busy: boolean) => (isBusy = busy),
    close: () => server.close(),
  };
}

const sign = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

sharedTest('creates, tests, inspects and redelivers a webhook', async ({ page, pageErrors, ui }) => {
  sharedTest.setTimeout(120_000);
  const sink = await startSink();
  await ui.goTo('Webhooks');
  await page.getByRole('button', { name: 'New webhook…' }).click();
  const form = dialogOf(page, 'New webhook');
  await form.getByRole('textbox', { name: 'URL' }).fill(sink.url);
  await form.getByRole('textbox', { name: 'Secret', exact: true }).fill('between us');
  await form.getByRole('button', { name: 'Create and ping' }).click();
  await expect(form.getByRole('textbox', { name: 'URL' })).toHaveAccessibleDescription(/private/);
  // The browser reports the error response, too.
  pageErrors.length = 0;
  await form.getByText('Allow localhost and private networks').click();
  await form.getByRole('button', { name: 'Create and ping' }).click();
  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  await expect(deliveries.getByRole('row').nth(1)).toContainText('200 OK');
  await checkPage(page, 'webhooks');

  sink.setBusy(true);
  await page.getByRole('button', { name: 'Send a test event…' }).click();
  const composer = dialogOf(page, 'Send a test event');
  const payload = composer.getByRole('textbox', { name: 'Payload' });
  await expect(payload).toHaveValue(/"ref"/);
  await payload.fill('{"ref": ');
  await expect(composer.getByText('Invalid JSON')).toBeVisible();
  await expect(composer.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
  await payload.fill('{"ref": "refs/heads/main"}');
  await composer.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Event sent to 1 webhook.')).toBeVisible();
  const failed = deliveries.getByRole('row', { name: /503.*push/ });
  await expect(failed).toBeVisible();

  sink.setBusy(false);
  await failed.click();
  const detail = dialogOf(page, /^Delivery/);
  const sent = sink.got.find(({ event }) => event === 'push')!;
  expect(sent.signature).toBe(sign('between us', sent.body));
  await expect(detail.getByText(sent.signature!)).toBeVisible();
  await expect(detail.getByRole('region', { name: 'Request body' }).last()).toContainText('refs/heads/main');
  await checkPage(page, 'webhook delivery');
  await detail.getByRole('button', { name: 'Redeliver' }).click();
  await expect(deliveries.getByRole('row', { name: /200 OK push .* \(redelivery\)/ })).toBeVisible();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await dialogOf(page, 'Delete this webhook?').getByRole('button', { name: 'Delete webhook' }).click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  sink.close();
});

test('a receiver accepts requests, and shows the run of each or why there is none', async ({
  page,
  ui,
  testHome,
}) => {
  test.setTimeout(120_000);
  testHome.saveWorkflow(
    'deploy',
    'on: { webhook: { receiver: forge, event: push, branches: [main] } }\nsteps: [echo deployed]\n',
  );
  await ui.goTo('Webhooks');
  await page.getByRole('tab', { name: 'Received' }).click();
  await page.getByRole('button', { name: 'New receiver…' }).click();
  const form = dialogOf(page, 'New receiver');
  await form.getByRole('textbox', { name: 'Name' }).fill('forge');
  await form.getByRole('textbox', { name: 'Secret', exact: true }).fill('between us');
  await form.getByRole('button', { name: 'Create receiver' }).click();
  const shown = page.getByRole('region', { name: 'Receiver forge' });
  const address = (await shown.getByText(/\/webhooks\//).textContent())!;

  const send = async (ref: string, secret: string): Promise<number> => {
    const data = JSON.stringify({ ref });
    const headers = {
      'content-type': 'application/json',
      'x-platform-event': 'push',
      'x-hub-signature-256': sign(secret, data),
    };
    return (await page.request.post(address, { data, headers })).status();
  };
  expect(await send('refs/heads/main', 'between us')).toBe(202);
  expect(await send('refs/heads/dev', 'between us')).toBe(202);
  expect(await send('refs/heads/main', 'another')).toBe(401);
  const rows = shown.getByRole('table', { name: 'Received requests' }).getByRole('row');
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText('The signature does not match');
  await expect(rows.nth(3)).toContainText('Started 1 run');
  await checkPage(page, 'webhook receivers');

  await rows.nth(2).click();
  const detail = dialogOf(page, /^Request/);
  await expect(detail.getByRole('listitem')).toContainText('The branch dev does not match the filter.');
  await detail.getByRole('button', { name: 'Close' }).last().click();
  await rows.nth(3).getByRole('link', { name: 'deploy' }).click();
  await expect(page.getByRole('heading', { name: /deploy/ }).first()).toBeVisible();
});

sharedTest('the event catalog lists who may receive each event and its payload', async ({ page, ui }) => {
  await ui.goTo('Webhooks');
  await page.getByRole('tab', { name: 'Events' }).click();
  await expect(page.getByText('75 of 75')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search events' }).fill('check_run');
  await page
    .getByRole('list', { name: 'Events' })
    .getByRole('button', { name: /^check_run/ })
    .click();
  const event = page.getByRole('region', { name: 'Event check_run' });
  await expect(event).toContainText('Checks: read; write for rerequested, requested_action');
  await checkPage(page, 'webhook events');
});
