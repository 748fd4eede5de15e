import { execFile } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

/** The package of `npm pack`, extracted, with its dependencies from this clone. */
const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const sizeBudget = 40_000_000;

const folder = mkdtempSync(join(tmpdir(), 'stepwright-npm-package-'));
const installed = join(folder, 'lib/node_modules/stepwright');
/** As npm links commands. */
const command = (name: keyof typeof manifest.bin): string => join(folder, 'bin', name);
let files: readonly string[];

beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: ROOT,
  });
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { readonly filename: string }>);
  mkdirSync(installed, { recursive: true });
  await run('tar', ['xzf', join(folder, packed!.filename), '--strip-components=1', '-C', installed]);
  files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) =>
    lstatSync(join(installed, file)).isFile(),
  );
  symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'));
  mkdirSync(join(folder, 'bin'));
  for (const [name, target] of Object.entries(manifest.bin))
    symlinkSync(join(installed, target), join(folder, 'bin', name));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the npm package', () => {
  test('contains the built program, and no sources, tests or build tools', () => {
    const top = new Set(files.map((file) => file.split('/', 1)[0]));
    expect(top).toEqual(
      new Set(['CHANGELOG.md', 'LICENSE', 'README.md', 'out', 'package.json', 'resources', 'scripts']),
    );
    expect(files.filter((file) => file.startsWith('scripts/'))).toEqual(['scripts/package/node-24.cjs']);
    expect(files.filter((file) => /(?<!\.d)\.(ts|tsx|map)$/.test(file))).toEqual([]);
    expect(files).not.toContain('out/.sources');
    expect(files).toEqual(expect.arrayContaining([...Object.values(manifest.bin), 'out/man/engine.1']));
  });

  test('is small', () => {
    const size = files.reduce((sum, file) => sum + lstatSync(join(installed, file)).size, 0);
    expect(size).toBeLessThan(sizeBudget);
  });

  test('has no lifecycle scripts of the clone', () => {
    const lifecycle = ['preinstall', 'install', 'postinstall', 'prepare'].filter(
      (name) => name in manifest.scripts,
    );
    expect(lifecycle).toEqual(['postinstall']);
    expect(manifest.scripts.postinstall).toBe('node scripts/package/node-24.cjs');
  });

  test('runs its script after the installation without effect on a current Node', async () => {
    const { stdout, stderr } = await run(process.execPath, ['scripts/package/node-24.cjs'], {
      cwd: installed,
    });
    expect([stdout, stderr]).toEqual(['', '']);
  });

  test('has the command engine, which runs a workflow from any folder', async () => {
    const home = join(folder, 'home');
    const args = ['run', join(ROOT, 'test/packaging/hello.yaml'), '--format', 'json', '--engine-home', home];
    const { stdout } = await run(command('engine'), args, { cwd: tmpdir() });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'succeeded', outputs: { GREETING: 'hello' } });
  });

  test('has the command stepwright, which serves the app and ends at a signal', async () => {
    const { stdout: version } = await run(command('stepwright'), ['--version']);
    expect(version).toBe(`stepwright ${manifest.version}\n`);
    const env = { ...process.env, BROWSER: 'none', ENGINE_HOME: join(folder, 'app-home') };
    const started = execFile(command('stepwright'), ['--browser', '--port', '0'], { env, cwd: tmpdir() });
    const ended = new Promise<number | null>((onExit) => started.on('exit', onExit));
    const line = await new Promise<string>((onLine) => {
      started.stdout!.on('data', (text: string) => text.includes('http') && onLine(text));
    });
    expect(line).toContain('--browser is set, so the app runs in the browser at http://127.0.0.1:');
    const page = await fetch(/http:\S+/.exec(line)![0]);
    expect(await page.text()).toContain('<title>Stepwright');
    started.kill('SIGTERM');
    expect(await ended).toBe(0);
  }, 60_000);

  test('has a man page of all commands', () => {
    const page = readFileSync(join(installed, 'out/man/engine.1'), 'utf8');
    expect(page).toContain(`.TH ENGINE 1 "" "Stepwright ${manifest.version}"`);
    for (const title of ['NAME', 'SYNOPSIS', 'COMMANDS', 'ENVIRONMENT', 'EXIT STATUS'])
      expect(page).toContain(`\n.SH ${title}\n`);
    expect(page).toMatch(/\n\.SS engine start \[DAG\] \[params…\], engine run\n/);
    expect(page).toMatch(/\n\.SS engine webhooks receivers create NAME\n/);
    expect(page).not.toContain('__complete');
    expect(page.split('\n').filter((text) => text === '' || text.startsWith("'"))).toEqual(['']);
  });
});
