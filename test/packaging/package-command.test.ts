import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterEach, beforeEach, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { explainFailure, makePackages } from '../../scripts/package/make-packages.ts';
import { makeElectronDist } from './packed-app.ts';

let folder: string;
let output: string;
let said: string[];
let builds: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepwright-package-command-'));
  output = join(folder, 'dist');
  [said, builds] = [[], 0];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const make = (words: readonly string[], more: { electron?: string; env?: object } = {}): Promise<number> =>
  makePackages({
    words: [`-c.directories.output=${output}`, ...words],
    build: () => void (builds += 1),
    printLine: (line) => void said.push(line),
    ...(more.electron !== undefined && { electron: more.electron }),
    env: { ...process.env, ...more.env },
  });

/** A package `electron` whose installer runs the script. */
function makeElectronPackage(installer: string): string {
  const electron = join(folder, 'electron');
  mkdirSync(electron);
  writeFileSync(join(electron, 'package.json'), '{ "version": "45.3.4" }');
  writeFileSync(join(electron, 'install.js'), installer);
  return electron;
}

test('fails immediately and builds nothing when the Electron binary is missing and cannot be downloaded', async () => {
  const electron = makeElectronPackage(`console.error('TypeError: fetch failed'); process.exit(1)`);
  expect(await make([], { electron })).toBe(1);
  expect(said).toEqual([
    [
      'No package was made: the Electron binary is not installed, and fetching it failed (TypeError: fetch failed).',
      'On a machine with a network, run: npx install-electron',
      'Or name a folder that holds it: npm run package -- -c.electronDist=FOLDER',
    ].join('\n'),
  ]);
  expect(builds).toBe(0);
  expect(existsSync(output)).toBe(false);
});

if (process.platform === 'linux') {
  const withElectron = (): string => `-c.electronDist=${makeElectronDist(join(folder, 'electron-dist'))}`;

  test('packages the installed Electron, or the downloaded one', async () => {
    const dist = makeElectronDist(join(folder, 'fetched'));
    const electron = makeElectronPackage(
      `const fs = require('node:fs');
       fs.cpSync(${JSON.stringify(dist)}, __dirname + '/dist', { recursive: true });
       fs.writeFileSync(__dirname + '/path.txt', 'electron');`,
    );
    mkdirSync(join(output, 'linux-unpacked'), { recursive: true });
    writeFileSync(join(output, 'linux-unpacked/old'), '');
    expect(await make(['--dir'], { electron })).toBe(0);
    expect(readdirSync(output)).toEqual(['linux-unpacked']);
    expect(existsSync(join(output, 'linux-unpacked/resources/app.asar'))).toBe(true);
    expect(existsSync(join(output, 'linux-unpacked/old'))).toBe(false);
  }, 120_000);

  /** A fake fpm, which electron-builder downloads. */
  function makeFpm(script: string): object {
    const fpm = join(folder, 'fpm');
    writeFileSync(fpm, `#!/bin/sh\n${script}\n`);
    chmodSync(fpm, 0o755);
    return { CUSTOM_FPM_PATH: fpm };
  }

  test('says what to do when a tool cannot be downloaded, and preserves earlier output', async () => {
    mkdirSync(output);
    writeFileSync(join(output, 'former.deb'), 'of last week');
    const env = makeFpm('echo "getaddrinfo ENOTFOUND tools.invalid" >&2; exit 1');
    expect(await make(['--linux', 'deb', withElectron()], { env })).toBe(1);
    expect(said.at(-1)).toBe(
      [
        'No package was made: something that electron-builder fetches could not be fetched.',
        'Run it again with a network; what was fetched once is kept.',
        'The app in a folder needs no such tool: npm run package -- --dir',
      ].join('\n'),
    );
    expect(readdirSync(output)).toEqual(['former.deb']);
  }, 120_000);

  test('passes a complete description of the deb to the tool that builds it, and writes the feed', async () => {
    const env = makeFpm(
      `printf '%s\\n' "$@" > '${join(folder, 'asked')}'\nwhile [ $# -gt 0 ]; do [ "$1" = --package ] && : > "$2"; shift; done`,
    );
    const feed = ['-c.publish.provider=generic', '-c.publish.url=http://127.0.0.1/feed'];
    const code = await make(['--linux', 'deb', withElectron(), ...feed], { env });
    expect({ code, said }).toMatchObject({ code: 0 });
    const text = readFileSync(join(folder, 'asked'), 'utf8');
    const asked = text.split('\n');
    const after = (word: string): string | undefined => asked[asked.indexOf(word) + 1];
    expect(after('--name')).toBe('stepwright');
    expect(after('--version')).toBe(manifest.version);
    expect(after('--license')).toBe(manifest.license);
    expect(['--maintainer', '--url', '--depends'].filter((word) => !after(word))).toEqual([]);
    expect(text).toContain(manifest.description);
    expect(text).toContain('stepwright.desktop');
    const [deb] = readdirSync(output).filter((name) => name.endsWith('.deb'));
    // The update URL of the app, and its feed.
    const asks = readFileSync(join(output, 'linux-unpacked/resources/app-update.yml'), 'utf8');
    expect(parse(asks)).toMatchObject({ provider: 'generic', url: 'http://127.0.0.1/feed' });
    const answer = parse(readFileSync(join(output, 'latest-linux.yml'), 'utf8')) as object;
    expect(answer).toMatchObject({ version: manifest.version, path: deb });
  }, 120_000);
}

test('distinguishes a failed download from any other failure', () => {
  expect(explainFailure('  ⨯ failed to build AppImage  error=getaddrinfo ENOTFOUND host')).toContain(
    'a tool for AppImage',
  );
  expect(explainFailure('  ⨯ Please specify author email')).toBe(
    'No package was made: electron-builder failed, as it says above.',
  );
});
