import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** `npm run package`: builds everything, then the packages of this platform into `dist/`; words go to electron-builder. */
const ROOT = join(import.meta.dirname, '../..');
const run = (script: string, words: readonly string[]): void =>
  void execFileSync(process.execPath, [join(ROOT, script), ...words], { cwd: ROOT, stdio: 'inherit' });

run('scripts/build.ts', []);
run('node_modules/electron-builder/cli.js', ['--publish=never', ...process.argv.slice(2)]);
