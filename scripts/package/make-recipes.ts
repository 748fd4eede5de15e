import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { NODE_24, printLine, ROOT } from '../setup/run-command.mjs';
import { buildDebianPackage } from './debian.ts';
import { buildFormula, buildWingetManifests, releaseUrl } from './recipes.ts';

/**
 * `npm run recipes [-- URL]`: from `dist/stepwright-VERSION.tgz`, which `npm pack` made, the Homebrew formula and, on
 * Debian, the package; from the Windows installer the winget manifests. URL is the folder that the files of this
 * release are published in.
 */
const OUTPUT = join(ROOT, 'dist');
const { version, homepage } = manifest;
const [base = `${homepage}/releases/v${version}`] = process.argv.slice(2);

function describe(file: string): { url: string; sha256: string } {
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  return { url: releaseUrl(base, file), sha256 };
}

/** Installs the npm package into a temporary folder and packs that. */
function makeDebianPackage(tarball: string): string {
  const builder = parse(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8')) as {
    readonly linux: { readonly maintainer: string };
  };
  const prefix = mkdtempSync(join(tmpdir(), 'stepwright-recipes-'));
  try {
    const target = ['--global', '--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', ['install', ...target, tarball], { stdio: 'inherit' });
    const installed = join(prefix, 'lib/node_modules/stepwright');
    const { maintainer } = builder.linux;
    return buildDebianPackage({ installed, node: NODE_24, output: OUTPUT, maintainer });
  } finally {
    rmSync(prefix, { recursive: true, force: true });
  }
}

const tarball = join(OUTPUT, `stepwright-${version}.tgz`);
if (!existsSync(tarball)) {
  printLine(`${tarball} is missing. Run: npm pack --pack-destination dist`);
  process.exit(1);
}

const formula = join(OUTPUT, 'stepwright.rb');
writeFileSync(formula, buildFormula(describe(tarball)));
printLine(`wrote ${formula}`);

const installer = join(OUTPUT, `stepwright-${version}-win-x64.exe`);
if (existsSync(installer)) {
  const folder = join(OUTPUT, 'winget');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of buildWingetManifests(describe(installer)))
    writeFileSync(join(folder, name), text);
  printLine(`wrote ${folder}`);
} else printLine(`no winget manifests: ${installer} is missing (npm run package, on Windows)`);

if (existsSync('/usr/bin/dpkg-deb')) printLine(`wrote ${makeDebianPackage(tarball)}`);
else printLine('no Debian package: dpkg-deb is missing');
