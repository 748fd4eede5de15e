import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../setup/built-output.mjs';
import { checklist, chooseBinary } from './make-packages.ts';

/**
 * `npm run e2e:electron`: runs the desktop specs on a real Electron binary and prints the manual checklist.
 * Arguments go to Playwright; a path selects specs. Exit code 1 when a spec fails or none could run.
 */
const ROOT = join(import.meta.dirname, '../..');

/** All specs that need the desktop app. */
const specs = ['test/e2e/desktop', 'test/e2e/editor-desktop', 'test/electron-standin/fidelity'];

async function runSpecs(args: readonly string[]): Promise<number> {
  const chosen = chooseBinary(join(ROOT, 'node_modules/electron'), process.env);
  if ('missing' in chosen) {
    printLine(chosen.missing);
    return 1;
  }
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  // The stand-in needs no display.
  const drawsItself = existsSync(join(chosen.folder, '../run.ts'));
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY && !drawsItself) {
    printLine('There is no display, so no spec was run. Run it as: xvfb-run npm run e2e:electron');
    return 1;
  }
  printLine(`Electron in ${chosen.folder}: ${chosen.reason}`);
  await ensureBuilt();
  const { status } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/@playwright/test/cli.js'),
      'test',
      '--workers=1',
      ...(args.some((word) => !word.startsWith('-')) ? [] : specs),
      ...args,
    ],
    { cwd: ROOT, env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: chosen.folder }, stdio: 'inherit' },
  );
  return status ?? 1;
}

function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

const code = await runSpecs(process.argv.slice(2));
printLine('\nTo be looked at by eye, on each platform:');
for (const [index, line] of checklist.entries()) printLine(`[ ] ${index + 1}. ${line}`);
process.exitCode = code;
