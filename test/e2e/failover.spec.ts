import { connect, createServer, type Server, type Socket } from 'node:net';
import { expect, type Locator, type Page } from '@playwright/test';
import { listenOnLoopback } from '../harness/servers/ports.ts';
import { missingForPostgres, TestPostgres } from '../harness/servers/postgres.ts';
import { test as browserTest } from './rig/browser-test.ts';
import { goToHash } from './rig/check-page.ts';
import type { EngineServer, TestHome } from './rig/test-home.ts';
import { WebUi } from './rig/web-ui.ts';

const missing = missingForPostgres(15);

/** Starts hosts over one PostgreSQL database. */
const test = browserTest.extend<{ startHost: () => Promise<EngineServer> }>({
  startHost: async ({ page, serve }, use) => {
    const postgres = await TestPostgres.start(15);
    const env = { ENGINE_DATABASE_URL: postgres.url, ENGINE_ON_STOP: 'leave' };
    await use(() => serve({ env }));
    // The page would report errors of hosts without a database.
    await page.goto('about:blank');
    await postgres.close();
  },
});

test.skip(missing !== undefined, missing ?? '');

/** A load balancer: connects to the first host that accepts. */
class Balancer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(hosts: readonly EngineServer[]) {
    this.#server = createServer((near) => {
      this.#sockets.add(near);
      near.on('error', () => undefined).once('close', () => this.#sockets.delete(near));
      this.#connect(near, hosts);
    });
  }

  async listen(): Promise<string> {
    return `http://127.0.0.1:${await listenOnLoopback(this.#server)}`;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #connect(near: Socket, [host, ...others]: readonly EngineServer[]): void {
    if (host === undefined) return void near.destroy();
    const far = connect(Number(new URL(host.url).port), '127.0.0.1');
    far.once('error', () => this.#connect(near, others));
    far.once('connect', () => {
      far.removeAllListeners('error').on('error', () => near.destroy());
      far.once('close', () => near.destroy());
      near.once('close', () => far.destroy());
      near.pipe(far).pipe(near);
    });
  }
}

/** A workflow of two steps that wait for their latches. */
function saveWorkflow(testHome: TestHome) {
  const [first, second] = [testHome.gate('first'), testHome.gate('second')];
  testHome.saveWorkflow(
    'moving',
    `steps:\n  - name: before\n    command: echo from before; ${first.wait}\n  - name: after\n    command: echo from after; ${second.wait}\n`,
  );
  return { first, second };
}

async function startRun(page: Page, { url }: EngineServer): Promise<void> {
  const response = await page.request.post(`${url}/api/v2/dags/moving/start`, { data: { dagRunId: 'one' } });
  expect(response.ok(), await response.text()).toBe(true);
}

/** The part of the header that names the engine process of the run. */
const driver = (page: Page, { pid }: EngineServer): Locator =>
  page.getByRole('link', { name: `, pid ${pid}` });

/** Expects the page to show the run on another host, and its further steps, in the same document. */
async function expectToMove(
  page: Page,
  { first, second }: ReturnType<typeof saveWorkflow>,
  move: { readonly from: EngineServer; readonly to: EngineServer; readonly end: () => unknown },
): Promise<void> {
  await expect(driver(page, move.from)).toBeVisible();
  await expect(page.getByText('from before', { exact: true })).toBeVisible();
  await page.evaluate(() => void Object.assign(globalThis, { isSameDocument: true }));
  await move.end();
  await expect(driver(page, move.to)).toBeVisible({ timeout: 60_000 });
  await expect(driver(page, move.from)).toHaveCount(0);
  first.open();
  await expect(page.getByText('from after', { exact: true })).toBeVisible();
  second.open();
  await new WebUi(page).expectRunStatus('Succeeded');
  expect(await page.evaluate(() => 'isSameDocument' in globalThis)).toBe(true);
}

test('a run page of one host follows a run of another that is killed', async ({
  page,
  startHost,
  testHome,
}) => {
  test.setTimeout(120_000);
  const latches = saveWorkflow(testHome);
  const [from, to] = [await startHost(), await startHost()];
  await startRun(page, from);
  await page.goto(to.url);
  await goToHash(page, '#/runs/moving/one');
  await expectToMove(page, latches, { from, to, end: () => process.kill(from.pid, 'SIGKILL') });
  await goToHash(page, '#/system?tab=hosts');
  await expect(page.getByRole('row').filter({ hasText: String(to.pid) })).toBeVisible();
});

test('a run page behind a load balancer outlives its host', async ({
  page,
  startHost,
  testHome,
  pageErrors,
}) => {
  test.setTimeout(120_000);
  const latches = saveWorkflow(testHome);
  const [from, to] = [await startHost(), await startHost()];
  const balancer = new Balancer([from, to]);
  const url = await balancer.listen();
  try {
    await startRun(page, from);
    await page.goto(url);
    await goToHash(page, '#/runs/moving/one');
    await expectToMove(page, latches, { from, to, end: () => from.stop() });
  } finally {
    await page.goto('about:blank');
    // The browser reports the connections that were lost with the host.
    pageErrors.length = 0;
    balancer.close();
  }
});
