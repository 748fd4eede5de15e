import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { Engine, type Program, runProgram, startProgram, withHome } from './screenshots/engine.ts';
import { editorScenes } from './screenshots/editor-scenes.ts';
import { newWorkflowScenes, operationsScenes, runPageScenes } from './screenshots/page-scenes.ts';
import { entryScenes, questionScenes, errorScenes } from './screenshots/dialog-scenes.ts';
import { liveScenes, otherScenes, type Scene } from './screenshots/scenes.ts';
import { seedGateway, invalidWorkflow, seed, startWorkers } from './screenshots/seed.ts';
import { accountScenes, dialogScenes, emptyScenes, problemScenes } from './screenshots/state-scenes.ts';
import { findBrowser } from './setup/browser.mjs';
import { ensureBuilt } from './setup/built-output.mjs';
import { ROOT } from './setup/run-command.mjs';

/** The screenshots of the documentation. */
const imageFolder = join(ROOT, 'docs/images');
const chosen: Readonly<Record<string, string>> = {
  'run-light-1280': 'run-light',
  'run-dark-1280': 'run-dark',
  'workflows-light-1280': 'workflows-light',
  'editor-light-1280': 'editor-light',
  'dashboard-light-1280': 'dashboard-light',
  'palette-dark-1280': 'palette-dark',
};

/** All screenshots, for review; outside version control. */
const pagesFolder = process.env.SCREENSHOTS_FOLDER ?? join(ROOT, 'test-results/screenshots');

const themes = ['light', 'dark'] as const;
const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  // The first size at a zoom of 200 %.
  { width: 640, height: 400 },
] as const;

/** Arguments of the engine, and the users with access. */
const server = ['start-all', '--port', '0'];
const password = 'correct horse';
const people = { ann: 'admin', omar: 'operator', vic: 'viewer' } as const;

/**
 * `npm run screenshots [NAME...]`: takes screenshots of every page and state of the built app, with separate
 * home directories, in both themes and three sizes; they include the images of the documentation. Names select
 * some of them.
 */
async function takeScreenshots(names: readonly string[]): Promise<void> {
  await ensureBuilt();
  for (const folder of [imageFolder, pagesFolder]) mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: ['--no-sandbox'] });
  const take = async (engine: Engine, scenes: readonly Scene[]): Promise<void> => {
    for (const scene of scenes) if (isRequested(scene, names)) await captureScene(browser, engine.url, scene);
  };
  try {
    if (emptyScenes.some((scene) => isRequested(scene, names)))
      await withServer(false, {}, (engine) => take(engine, emptyScenes));
    const guarded = [...accountScenes(signIn), ...entryScenes(signIn)];
    if (guarded.some((scene) => isRequested(scene, names)))
      await withServer(true, { AUTH_MODE: 'builtin' }, (engine) => take(engine, guarded), createUsers);
    // The rest needs a home directory with runs, which takes a minute to prepare.
    const known = new Set([...emptyScenes, ...guarded].map(({ name }) => name));
    if (names.length === 0 || names.some((name) => !known.has(name)))
      await withServer(true, {}, (engine, home) => takeLived(engine, home, take));
  } finally {
    await browser.close();
  }
}

const isRequested = ({ name }: Scene, names: readonly string[]): boolean =>
  names.length === 0 || names.includes(name);

/** Takes the screenshots of a home directory with many runs. */
async function takeLived(
  engine: Engine,
  home: string,
  take: (engine: Engine, scenes: readonly Scene[]) => Promise<void>,
): Promise<void> {
  const programs = await startWorkers(engine, home);
  try {
    const cast = await seed(engine);
    await take(engine, liveScenes(cast));
    await engine.waitForEnd(cast.live);
    await take(engine, [...otherScenes(cast), ...dialogScenes(cast), ...problemScenes(cast)]);
    await take(engine, [...questionScenes(cast), ...errorScenes(cast), ...editorScenes()]);
    writeFileSync(join(home, 'dags/misspelt.yaml'), invalidWorkflow);
    await seedGateway(home);
    await take(engine, [...newWorkflowScenes(), ...runPageScenes(cast), ...operationsScenes()]);
  } finally {
    for (const program of programs) await program.end();
  }
}

/**
 * Runs a function with a server on a separate home directory. @param furnish called before the server starts
 */
async function withServer(
  withSamples: boolean,
  env: NodeJS.ProcessEnv,
  act: (engine: Engine, home: string) => Promise<void>,
  furnish?: (home: string) => Promise<void>,
): Promise<void> {
  await withHome(withSamples, async (home) => {
    await furnish?.(home);
    const program: Program = await startProgram(home, server, env);
    try {
      await act(Engine.at(program.line), home);
    } finally {
      await program.end();
    }
  });
}

async function createUsers(home: string): Promise<void> {
  for (const [name, role] of Object.entries(people))
    await runProgram(home, ['users', 'create', name, '--role', role, '--password-stdin'], `${password}\n`);
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Username').fill('ann');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /account menu$/ }).waitFor();
}

/** Takes one page in both themes and all sizes. A page that cannot be prepared is reported and skipped. */
async function captureScene(browser: Browser, url: string, scene: Scene): Promise<void> {
  for (const theme of themes) {
    const page = await browser.newPage({ viewport: sizes[0], colorScheme: theme, reducedMotion: 'reduce' });
    page.setDefaultTimeout(30_000);
    try {
      await scene.before?.(page);
      await page.goto(`${url}/#${scene.hash}`);
      await page.locator('h1, h2').first().waitFor();
      await scene.prepare?.(page);
      await page.evaluate('document.fonts.ready.then(() => true)');
      for (const size of sizes) await takeScreenshot(page, `${scene.name}-${theme}`, size);
    } catch (failure) {
      process.stderr.write(`${scene.name}, ${theme}: ${String(failure).split('\n', 1)[0]}\n`);
      process.exitCode = 1;
    }
    await page.close();
  }
}

async function takeScreenshot(page: Page, scene: string, size: (typeof sizes)[number]): Promise<void> {
  await page.setViewportSize(size);
  await page.waitForLoadState('networkidle', { timeout: 1_000 }).catch(() => undefined);
  const name = `${scene}-${size.width}`;
  await page.screenshot({ path: join(pagesFolder, `${name}.png`) });
  const image = chosen[name];
  if (image !== undefined) await page.screenshot({ path: join(imageFolder, `${image}.png`) });
}

await takeScreenshots(process.argv.slice(2));
