import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium } from 'playwright';
import { Engine, until } from './screenshots/engine.ts';
import { type Cast, liveScenes, restScenes, type Scene } from './screenshots/scenes.ts';
import { findBrowser } from './setup/browser.mjs';
import { ensureBuilt } from './setup/built-output.mjs';
import { OUTPUT_FOLDER, ROOT } from './setup/paths.mjs';

/** The few that the documentation shows. */
const imageFolder = join(ROOT, 'docs/images');
const chosen: Readonly<Record<string, string>> = {
  'run-light-1280': 'run-light',
  'run-dark-1280': 'run-dark',
  'workflows-light-1280': 'workflows-light',
  'editor-light-1280': 'editor-light',
  'dashboard-light-1280': 'dashboard-light',
  'palette-dark-1280': 'palette-dark',
};

/** All of them, for people to look at; outside the repository's history. */
const lookFolder = process.env.SCREENSHOTS_FOLDER ?? join(ROOT, 'test-results/screenshots');

const themes = ['light', 'dark'] as const;
const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;

/** Log lines that a picture of a run shows, so that it is taken while the run is well under way. */
const linesShown = 8;
/** Slow enough for the pictures of the run under way, in both themes and sizes. */
const livePace = '2';

/**
 * `npm run screenshots [NAME...]`: every page of the built app on a home of its own with the sample workflows,
 * in both themes and two sizes; the pictures of the documentation are among them. Names pick some of the pages.
 */
async function takeScreenshots(names: readonly string[]): Promise<void> {
  await ensureBuilt();
  const home = mkdtempSync(join(tmpdir(), 'stepwright-'));
  const server = spawn(process.execPath, [join(OUTPUT_FOLDER, 'cli/engine.js'), 'start-all', '--port', '0'], {
    env: { ...process.env, ENGINE_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: ['--no-sandbox'] });
  try {
    for (const folder of [imageFolder, lookFolder]) mkdirSync(folder, { recursive: true });
    const engine = new Engine(await readAddress(server));
    const cast = await seed(engine);
    const wanted = (scenes: readonly Scene[]): Scene[] =>
      scenes.filter(({ name }) => names.length === 0 || names.includes(name));
    for (const scene of wanted(liveScenes(cast))) await takeScene(browser, engine.url, scene);
    await engine.waitForEnd(cast.live);
    for (const scene of wanted(restScenes(cast))) await takeScene(browser, engine.url, scene);
  } finally {
    await browser.close();
    await endProcess(server);
    rmSync(home, { recursive: true, force: true });
  }
}

/** Beside the samples: what fills the calendar and a queue. */
const furnishings: Readonly<Record<string, string>> = {
  'warm-cache': `description: Keep the cache of the shop warm
tags: operations
schedule: "0 8-18/2 * * 1-5"
steps:
  - name: warm
    command: echo "412 pages are warm"
`,
  'invoice-mails': `description: Send the invoices of the day
tags: finance
schedule: "30 17 * * 1-5"
queue: mail
steps:
  - name: send
    command: sleep 90; echo "38 invoices sent"
`,
  'deploy-shop': `description: Put what was pushed to the main branch into the shop
tags: operations
on: { webhook: { receiver: forge, event: push, branches: [main] } }
steps:
  - name: deploy
    command: echo "the shop is up to date"
`,
};

/** Runs of every kind, one of which goes on, and some that wait behind another. */
async function seed(engine: Engine): Promise<Cast> {
  for (const [name, spec] of Object.entries(furnishings)) await engine.create(name, spec);
  await engine.addWebhook();
  await engine.runToEnd('warm-cache', '');
  for (let turn = 0; turn < 3; turn += 1) await engine.enqueue('invoice-mails');
  const succeeded = await engine.runToEnd('sales-etl', 'PACE=0');
  const failed = await engine.runToEnd('nightly-backup', 'FAIL=yes OUTAGES=0');
  const parent = await engine.runToEnd('monthly-summary', '');
  const live = await engine.start('sales-etl', `PACE=${livePace}`);
  await until(async () => (await engine.countLogLines(live, 'split north')) >= linesShown);
  return { succeeded, failed, parent, live };
}

/** One page in both themes and sizes. A page that cannot be prepared is told and left out. */
async function takeScene(browser: Browser, url: string, scene: Scene): Promise<void> {
  for (const theme of themes) {
    const page = await browser.newPage({
      viewport: sizes[0],
      colorScheme: theme,
      reducedMotion: 'reduce',
    });
    page.setDefaultTimeout(30_000);
    try {
      await page.goto(`${url}/#${scene.hash}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await scene.prepare?.(page);
      await page.evaluate('document.fonts.ready.then(() => true)');
      for (const size of sizes) {
        await page.setViewportSize(size);
        await page.waitForLoadState('networkidle', { timeout: 1_000 }).catch(() => undefined);
        const name = `${scene.name}-${theme}-${size.width}`;
        await page.screenshot({ path: join(lookFolder, `${name}.png`) });
        const image = chosen[name];
        if (image !== undefined) await page.screenshot({ path: join(imageFolder, `${image}.png`) });
      }
    } catch (failure) {
      process.stderr.write(`${scene.name}, ${theme}: ${String(failure).split('\n', 1)[0]}\n`);
      process.exitCode = 1;
    }
    await page.close();
  }
}

async function readAddress(server: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: server.stdout! })) {
    const [url] = /https?:\/\/\S+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the server ended before it told its address');
}

async function endProcess(server: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
}

await takeScreenshots(process.argv.slice(2));
