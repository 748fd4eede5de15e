import { test as base, type ConsoleMessage, type Page } from '@playwright/test';
import {
  startServer,
  type EngineServer,
  type HistoryRun,
  type StartServerOptions,
  TestHome,
} from './test-home.ts';
import { emptyHash, inspectorKey, WebUi } from './web-ui.ts';

interface BrowserFixtures {
  readonly testHome: TestHome;
  /**
   * Starts a server on the workspace's home; it is stopped at the end, when the page is no longer observed.
   */
  readonly serve: (requests?: StartServerOptions) => Promise<EngineServer>;
  readonly server: EngineServer;
  /** The workflows page of the server, loaded. */
  readonly ui: WebUi;
  /** Errors reported by the page; none are expected, and a test that provokes errors clears it. */
  readonly pageErrors: string[];
}

/** A test of the web UI in a browser, against the built `engine server`. */
export const test = base.extend<BrowserFixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names from the pattern
  testHome: async ({}, use) => {
    const testHome = new TestHome();
    await use(testHome);
    testHome.remove();
  },
  serve: async ({ testHome }, use) => {
    const servers: EngineServer[] = [];
    await use(async (requests) => {
      const server = await startServer(testHome.home, requests);
      servers.push(server);
      return server;
    });
    for (const server of servers) await server.stop();
  },
  server: async ({ serve }, use) => {
    await use(await serve());
  },
  pageErrors: [
    // Named so that the servers are still running when the errors are counted.
    async ({ page, serve: _serve }, use) => {
      const errors: string[] = [];
      const onError = (error: Error): unknown => errors.push(String(error));
      const onMessage = (message: ConsoleMessage): void => {
        if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`.trim());
      };
      page.on('pageerror', onError).on('console', onMessage);
      await use(errors);
      // Tests may share a page.
      page.off('pageerror', onError).off('console', onMessage);
      base.expect(errors).toEqual([]);
    },
    { auto: true },
  ],
  ui: async ({ page, server }, use) => {
    await page.goto(`${server.url}/#/dags`);
    await base.expect(page.getByRole('heading', { level: 1, name: 'Workflows' })).toBeVisible();
    await use(new WebUi(page));
  },
});

/** A server and a page that shows it, of one worker. */
interface SharedServer {
  readonly testHome: TestHome;
  readonly server: EngineServer;
  readonly page: Page;
  /** The names of the workflow files that the server began with. */
  readonly samples: ReadonlySet<string>;
}

interface SharedFixtures {
  readonly shared: SharedServer;
  /** Whether the form of the editor begins closed, so that canvas and code have its room. */
  readonly isFormClosed: boolean;
}

/** Removes all runs, so that the next test begins with an empty history. */
async function removeRuns({ url }: EngineServer): Promise<void> {
  const call = async (path: string, method: string): Promise<unknown> => {
    const response = await fetch(`${url}/api/v2${path}`, { method });
    return response.json();
  };
  const list = async (): Promise<readonly HistoryRun[]> =>
    ((await call('/dag-runs?limit=200', 'GET')) as { dagRuns: HistoryRun[] }).dagRuns;
  const isActive = ({ status }: HistoryRun): boolean => /^(running|queued|not_started)$/.test(status);
  for (const { name, dagRunId, status } of (await list()).filter(isActive))
    await call(`/dag-runs/${name}/${dagRunId}/${status === 'queued' ? 'dequeue' : 'stop'}`, 'POST');
  await base.expect.poll(async () => (await list()).filter(isActive)).toEqual([]);
  for (const name of new Set((await list()).map((run) => run.name)))
    await call(`/dag-runs/${name}`, 'DELETE');
}

/**
 * A test that shares its server and its page with the other tests of its worker, since to start and load them
 * takes more time than most tests. Runs and workflows of other tests are removed.
 */
export const sharedTest = test.extend<object, SharedFixtures>({
  isFormClosed: [false, { option: true, scope: 'worker' }],
  shared: [
    async ({ browser, isFormClosed }, use) => {
      const testHome = new TestHome();
      const server = await startServer(testHome.home);
      const page = await browser.newPage({ reducedMotion: 'reduce' });
      const close = (key: string): void => {
        if (localStorage.getItem(key) === null) localStorage.setItem(key, 'closed');
      };
      if (isFormClosed) await page.addInitScript(close, inspectorKey);
      await page.goto(`${server.url}/${emptyHash}`);
      await use({ testHome, server, page, samples: new Set(testHome.listWorkflowFiles()) });
      await page.close();
      await server.stop();
      testHome.remove();
    },
    { scope: 'worker' },
  ],
  testHome: async ({ shared: { testHome, samples, server } }, use) => {
    await use(testHome);
    await removeRuns(server);
    testHome.removeFilesExcept(samples);
  },
  server: async ({ shared }, use) => use(shared.server),
  // Depends on the home, so that the page is left before its workflows are removed.
  page: async ({ shared: { page }, testHome: _testHome, viewport }, use) => {
    if (viewport) await page.setViewportSize(viewport);
    await use(page);
    await page.unrouteAll();
    await new WebUi(page).leave();
  },
  ui: async ({ page }, use) => {
    const ui = new WebUi(page);
    await ui.goTo('Workflows');
    await use(ui);
  },
});
