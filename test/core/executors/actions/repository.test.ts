import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { runStep, type StepChoice } from '../step-harness.ts';
import { ActionServerFolder, javaScript, actionStep } from './action-harness.ts';

const say = (text: string): Record<string, string> => javaScript(`console.log(${JSON.stringify(text)});`);

/** A server, and a cache that the runs of a test share. */
function openServer() {
  const server = new ActionServerFolder();
  const cacheDir = makeTemporaryFolder();
  const run = (command: string, choice: StepChoice = {}) =>
    runStep(actionStep(command, { config: { githubInstance: server.url } }), { cacheDir, ...choice });
  /** Directories of commits, and what else is next to them. */
  const kept = (repository: string): string[] => {
    const [host = ''] = readdirSync(join(cacheDir, 'actions'));
    return readdirSync(join(cacheDir, 'actions', host, repository)).toSorted();
  };
  return { server, cacheDir, run, kept };
}

/** A PATH with everything but git. */
function pathWithoutGit(): string {
  const folder = makeTemporaryFolder();
  const node = execFileSync('which', ['node'], { encoding: 'utf8' }).trim();
  symlinkSync(node, join(folder, 'node'));
  return folder;
}

describe('action version', () => {
  test('is a tag, an annotated tag, a branch or a commit', async () => {
    const { server, run } = openServer();
    const first = server.commit('o/a', say('one'), 'v1');
    server.git('o/a', 'tag', '--annotate', '--message', 'x', 'v1.0', first);
    server.git('o/a', 'branch', 'feature/new');
    server.commit('o/a', say('two'));
    for (const ref of ['v1', 'v1.0', 'feature/new', first])
      expect((await run(`o/a@${ref}`)).stdout).toBe('one\n');
    expect((await run('o/a@main')).stdout).toBe('two\n');
  });

  test('is resolved each time when it is a tag or a branch', async () => {
    const { server, run, kept } = openServer();
    const first = server.commit('o/a', say('one'), 'v1');
    expect((await run('o/a@v1')).stdout).toBe('one\n');
    const second = server.commit('o/a', say('two'), 'v1');
    expect((await run('o/a@v1')).stdout).toBe('two\n');
    expect(kept('o/a')).toEqual([first, second, 'refs'].toSorted());
  });

  test('needs no server and no git when it is a cached commit', async () => {
    const { server, run } = openServer();
    const commit = server.commit('o/a', say('one'));
    await run(`o/a@${commit}`);
    renameSync(server.pathOf('o/a'), server.pathOf('o/gone'));
    const { stdout } = await run(`o/a@${commit.toUpperCase()}`, { env: { PATH: pathWithoutGit() } });
    expect(stdout).toBe('one\n');
  });

  test('is the last known one when the server is unreachable', async () => {
    const { server, run } = openServer();
    const commit = server.commit('o/a', say('one'), 'v1');
    await run('o/a@v1');
    renameSync(server.pathOf('o/a'), server.pathOf('o/gone'));
    const { stdout, stderr, end } = await run('o/a@v1');
    expect(end.exitCode).toBe(0);
    expect(stdout).toBe('one\n');
    expect(stderr).toContain('Warning: Cannot fetch the action o/a@v1 from file://');
    expect(stderr).toContain(`Using the cached commit ${commit}.`);
  });

  test.each([
    ['o/a@v9', /Tag or branch "v9" not found in/],
    ['o/a@1234567', /For a commit, use the full 40-digit SHA\./],
    ['o/missing@v1', /Cannot fetch the action o\/missing@v1 from/],
    [`o/a@${'0'.repeat(40)}`, /Cannot fetch the action o\/a@0000000000000000000000000000000000000000 from/],
    ['o/a/sub@v1', /Action o\/a\/sub@v1 not found: the folder.* has no action\.yml/],
    ['o/a', /Missing version in "o\/a"\. Add a tag, branch or commit, such as o\/a@v1\./],
    [
      'a@v1',
      /Invalid action "a@v1"\. Use owner\/name@ref, such as actions\/checkout@v5, or a path that starts with "\.\/"\./,
    ],
    ['o/a/../b@v1', /Invalid path in "o\/a\/\.\.\/b@v1"\. Remove "\." and "\.\."\./],
    ['o/a@--upload-pack=x', /Invalid tag, branch or commit "--upload-pack=x" in "o\/a@--upload-pack=x"\./],
  ])('is explained when it is unavailable: %s', async (command, message) => {
    const { server, run } = openServer();
    server.commit('o/a', say('one'), 'v1');
    expect((await run(command)).end.error).toMatch(message);
  });
});

describe('action cache', () => {
  test('serves concurrent steps, and keeps nothing incomplete', async () => {
    const { server, run, kept } = openServer();
    const commit = server.commit('o/a', say('one'), 'v1');
    const runs = await Promise.all(Array.from({ length: 6 }, () => run('o/a@v1')));
    expect(runs.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 6 }, () => 'one\n'));
    expect(kept('o/a')).toEqual([commit, 'refs'].toSorted());
  });

  test('is cleaned of files of a killed engine', async () => {
    const { server, cacheDir, run, kept } = openServer();
    server.commit('o/a', say('one'), 'v1');
    await run('o/a@v1');
    const [host = ''] = readdirSync(join(cacheDir, 'actions'));
    const left = join(cacheDir, 'actions', host, 'o/a', '.partial-old');
    mkdirSync(left);
    utimesSync(left, 1, 1);
    server.commit('o/a', say('two'), 'v1');
    await run('o/a@v1');
    expect(existsSync(left)).toBe(false);
    expect(kept('o/a').filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('contains no repository, so that nothing in it can be changed by accident', async () => {
    const { server, cacheDir, run } = openServer();
    const commit = server.commit('o/a', say('one'), 'v1');
    await run('o/a@v1');
    const [host = ''] = readdirSync(join(cacheDir, 'actions'));
    expect(readdirSync(join(cacheDir, 'actions', host, 'o/a', commit)).toSorted()).toEqual([
      'action.yml',
      'main.js',
    ]);
  });
});

test('without git, says what to do', async () => {
  const { server, run } = openServer();
  server.commit('o/a', say('one'), 'v1');
  const { end } = await run('o/a@v1', { env: { PATH: pathWithoutGit() } });
  expect(end.error).toBe(
    'Cannot fetch the action o/a@v1: git was not found on PATH. Install git, or use a local action with a path that starts with "./".',
  );
});

test.each([
  ['ext::sh -c x', /"\. Use a host name or URL, such as https:\/\/git\.example\.com\./],
  ['ftp://x', /Unsupported protocol in config\.githubInstance "ftp:\/\/x"\. Use https, ssh, git or file\./],
  ['', /"\. Use a host name or URL, such as https:\/\/git\.example\.com\./],
])('accepts a host or a URL as server: %j', async (githubInstance, message) => {
  const { end } = await runStep(actionStep('o/a@v1', { config: { githubInstance } }));
  expect(end.error).toMatch(message);
});
