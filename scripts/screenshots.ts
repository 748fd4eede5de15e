import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright';
import { isFinal } from '../core/model/status.ts';
import type { RunStatus } from '../core/model/status.ts';
import { findBrowser } from './setup/browser.mjs';
import { ensureBuilt } from './setup/built-output.mjs';
import { OUTPUT_FOLDER, ROOT } from './setup/paths.mjs';

/** Where the documentation finds them. */
const imageFolder = join(ROOT, 'docs/images');

/** Log lines that a picture of a run shows, so that it is taken while the run is well under way. */
const linesShown = 8;

/**
 * `node scripts/screenshots.ts`: the pictures of the documentation, taken of the built app with the sample
 * workflows on a home of their own.
 */
async function takeScreenshots(): Promise<void> {
  await ensureBuilt();
  const home = mkdtempSync(join(tmpdir(), 'stepwright-'));
  const server = spawn(process.execPath, [join(OUTPUT_FOLDER, 'cli/engine.js'), 'server', '--port', '0'], {
    env: { ...process.env, ENGINE_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: ['--no-sandbox'] });
  try {
    mkdirSync(imageFolder, { recursive: true });
    await takeAll(browser, new Engine(await readAddress(server)));
  } finally {
    await browser.close();
    await endProcess(server);
    rmSync(home, { recursive: true, force: true });
  }
}

async function takeAll(browser: Browser, engine: Engine): Promise<void> {
  await engine.runToEnd('sales-etl', 'PACE=0');
  await engine.runToEnd('nightly-backup', 'FAIL=yes OUTAGES=0');
  await engine.runToEnd('monthly-summary', '');
  const run = await engine.start('sales-etl', 'PACE=0.4');
  await until(async () => (await engine.countLogLines(run, 'split north')) >= linesShown);
  const runPage = `${engine.url}/#/runs/sales-etl/${run.dagRunId}`;
  await takePicture(browser, { url: runPage, theme: 'light', name: 'run-light', untilReady: seesOrders });
  await takePicture(browser, { url: runPage, theme: 'dark', name: 'run-dark', untilReady: seesOrders });
  await takePicture(browser, { url: `${engine.url}/#/`, theme: 'light', name: 'workflows-light' });
  await engine.waitForEnd(run);
  const editor = `${engine.url}/#/dags/sales-etl/edit`;
  await takePicture(browser, { url: editor, theme: 'light', name: 'editor-light', untilReady: choosesStep });
}

async function seesOrders(page: Page): Promise<void> {
  await page.locator('[data-node-id]').first().waitFor();
  await page
    .getByText(/\d of \d+ orders/)
    .first()
    .waitFor();
}

/** With a step chosen and its form beside it. */
async function choosesStep(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Canvas' }).click();
  await page.getByRole('row', { name: /^validate/ }).click();
  await page.locator('[data-node-id]').first().waitFor();
}

interface Picture {
  readonly url: string;
  readonly theme: 'light' | 'dark';
  readonly name: string;
  readonly untilReady?: (page: Page) => Promise<void>;
}

async function takePicture(browser: Browser, picture: Picture): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    colorScheme: picture.theme,
    reducedMotion: 'reduce',
  });
  await page.goto(picture.url);
  await page.getByText('sales-etl').first().waitFor();
  await picture.untilReady?.(page);
  await page.evaluate('document.fonts.ready.then(() => true)');
  await page.screenshot({ path: join(imageFolder, `${picture.name}.png`) });
  await page.close();
}

interface Run {
  readonly name: string;
  readonly dagRunId: string;
}

/** The few calls of the API that the pictures need. */
class Engine {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  start(fileName: string, params: string): Promise<Run> {
    return this.#call<Run>(`/dags/${fileName}/start`, { params });
  }

  async runToEnd(fileName: string, params: string): Promise<void> {
    await this.waitForEnd(await this.start(fileName, params));
  }

  async waitForEnd({ name, dagRunId }: Run): Promise<void> {
    await until(async () => {
      const { status } = await this.#call<{ status: RunStatus }>(`/dag-runs/${name}/${dagRunId}`);
      return isFinal(status);
    });
  }

  async countLogLines({ name, dagRunId }: Run, step: string): Promise<number> {
    const path = `/dag-runs/${name}/${dagRunId}/steps/${encodeURIComponent(step)}/log`;
    return (await this.#call<{ totalLines?: number }>(path)).totalLines ?? 0;
  }

  async #call<Reply>(path: string, body?: unknown): Promise<Reply> {
    const response = await fetch(`${this.url}/api/v2${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
    return (await response.json()) as Reply;
  }
}

async function readAddress(server: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: server.stdout! })) {
    const [url] = /https?:\/\/\S+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the server ended before it told its address');
}

/** Asks again and again; what is waited for takes seconds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(50);
}

async function endProcess(server: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
}

await takeScreenshots();
