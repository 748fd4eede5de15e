import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { FrameRecorder, type Frame, recordDemo } from './screenshots/record-demo.ts';
import { Engine, startProgram, withHome } from './screenshots/engine.ts';
import { findBrowser, installPackages, isInstalled } from './setup/browser.mjs';
import { ensureBuilt } from './setup/built-output.mjs';
import { ROOT } from './setup/run-command.mjs';

const film = join(ROOT, 'docs/images/demo.webp');
/** Size limit of a binary file in the repository, in bytes. */
const maxBytes = 1_000_000;
const size = { width: 1120, height: 700 } as const;

/**
 * `npm run demo`: creates the animated image of the documentation from the built app, with its own home
 * directory. Needs `img2webp` from Debian's package `webp`.
 */
async function makeDemo(): Promise<void> {
  if (!isInstalled('img2webp')) await installPackages(['webp']);
  if (!isInstalled('img2webp'))
    throw new Error('img2webp is missing, which writes the film: install the package "webp" of your system');
  await ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'stepwright-demo-'));
  try {
    await withHome(true, async (home) => {
      const program = await startProgram(home, ['start-all', '--port', '0']);
      try {
        writeFilm(await takeFrames(Engine.at(program.line).url, folder));
      } finally {
        await program.end();
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function takeFrames(url: string, folder: string): Promise<readonly Frame[]> {
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: size, colorScheme: 'light', reducedMotion: 'reduce' });
    page.setDefaultTimeout(60_000);
    await page.goto(`${url}/#/dags`);
    await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor();
    await page.getByRole('link', { name: 'sales-etl' }).waitFor();
    await page.evaluate('document.fonts.ready.then(() => true)');
    const camera = new FrameRecorder(page, folder);
    await camera.showPointer();
    await recordDemo(page, camera);
    return camera.frames;
  } finally {
    await browser.close();
  }
}

function writeFilm(frames: readonly Frame[]): void {
  // Lossy frames keep small differences from the previous frame, such as shadows of removed buttons.
  const args = ['-loop', '0', '-min_size', '-lossless', '-m', '6'];
  const pictures = frames.flatMap(({ file, ms }) => ['-d', String(ms), file]);
  const { status, stderr } = spawnSync('img2webp', [...args, ...pictures, '-o', film], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`img2webp has failed: ${stderr}`);
  const { size: bytes } = statSync(film);
  if (bytes > maxBytes)
    throw new Error(`the film has ${bytes} bytes, more than ${maxBytes}: shorten the story`);
  const seconds = Math.round(frames.reduce((sum, { ms }) => sum + ms, 0) / 1000);
  process.stdout.write(`docs/images/demo.webp: ${frames.length} pictures, ${seconds} s, ${bytes} bytes\n`);
}

await makeDemo();
