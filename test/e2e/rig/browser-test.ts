import { test as base, type ConsoleMessage } from '@playwright/test';
import { startServer, type EngineServer, type StartServerOptions } from './start-server.ts';
import { WebUi } from './web-ui.ts';
import { TestHome } from './test-home.ts';

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
