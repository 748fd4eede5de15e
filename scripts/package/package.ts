import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makePackages } from './make-packages.ts';

/**
 * `npm run package`: builds everything, then the packages of this platform into `dist/`; arguments go to
 * electron-builder.
 */
const ROOT = join(import.meta.dirname, '../..');

process.exitCode = await makePackages({
  words: process.argv.slice(2),
  build: () =>
    void execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts')], { cwd: ROOT, stdio: 'inherit' }),
  printLine: (line) => void process.stdout.write(`${line}\n`),
});
