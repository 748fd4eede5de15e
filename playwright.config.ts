import { defineConfig } from '@playwright/test';
import { findHeadlessBrowser } from './scripts/setup/browser.mjs';

const executablePath = await findHeadlessBrowser();

/** End-to-end specs: the web UI in a browser, and the desktop app through Playwright's Electron driver. */
export default defineConfig({
  testDir: 'test',
  testMatch: '{e2e,electron-standin}/**/*.spec.ts',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  // With three on two processors, the launch of a desktop app by its driver has hung.
  workers: 2,
  retries: 0,
  timeout: 60_000,
  // The layout of a graph is a large program, and a busy machine takes seconds to load it.
  expect: { timeout: 15_000 },
  forbidOnly: process.env['CI'] === 'true',
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ? [['list'], ['json']] : [['list']],
  use: {
    browserName: 'chromium',
    // A film of every test, and a copy of the page for each action, take a good part of the processor.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    },
  },
});
