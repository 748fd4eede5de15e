import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { TestEngine, type RunView, stdoutOf } from '../../harness/engine.ts';
import { eventsOf } from './run-harness.ts';

const secret = 'hunter2-and-more';

/** Everything stored about a run: what the API returns, its events, and every file of its directory. */
async function everythingOf(engine: TestEngine, view: RunView): Promise<string> {
  const files = readdirSync(view.logDir!, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
  return JSON.stringify([view, await eventsOf(engine, view)]) + files.join('\n');
}

describe('secrets', () => {
  test('reach steps, and are masked in logs, outputs, events, errors and the API', async () => {
    vi.stubEnv('VAULT', secret);
    const folder = makeTemporaryFolder();
    const engine = new TestEngine();
    const view = await engine.run(
      `
secrets: [{ name: TOKEN, provider: env, key: VAULT }]
steps:
  - { name: whole, command: 'echo "token $TOKEN"; echo "$TOKEN" >&2', output: SAID }
  - { name: split, command: 'printf hunter2; sleep 0.05; printf -- -and-more; echo .' }
  - { name: use, command: 'printf %s "$TOKEN" | wc -c > size; echo "$SAID"' }
  - { name: copy, command: 'echo $TOKEN', stdout: copy.log }
  - { name: fail, command: 'echo "bad $TOKEN" >&2; exit 1', continueOn: failed }
  - { name: asked, command: "true", preconditions: [{ condition: "$TOKEN", expected: other }], continueOn: skipped }
  - { name: many, command: 'echo $ITEM', parallel: ["a $TOKEN"] }
handlerOn: { exit: 'echo "bye $TOKEN"' }`,
      { defaultWorkingDir: folder },
    );
    expect(view.status).toBe('partially_succeeded');
    expect(stdoutOf(view, 'whole')).toBe('token *******\n');
    expect(stdoutOf(view, 'split')).toBe('*******.\n');
    expect(stdoutOf(view, 'onExit')).toBe('bye *******\n');
    expect(view.outputs['SAID']).toBe('token *******');
    expect(readFileSync(path.join(folder, 'size'), 'utf8').trim()).toBe(String(secret.length));
    expect(readFileSync(path.join(folder, 'copy.log'), 'utf8')).toBe('*******\n');
    expect(view.steps.find(({ name }) => name === 'fail')!.error).toContain('bad *******');
    expect(await everythingOf(engine, view)).not.toContain(secret);
  });

  test('reach sub-workflows that request them, and are masked there, too', async () => {
    vi.stubEnv('VAULT', secret);
    const engine = new TestEngine();
    const view = await engine.run(`
secrets: [{ name: TOKEN, provider: env, key: VAULT }]
steps:
  - { name: call, run: child, params: "GIVEN=$TOKEN", output: R }
---
name: child
params: { GIVEN: "" }
secrets: [{ name: OWN, provider: env, key: TOKEN }]
steps:
  - { name: show, command: 'echo "$GIVEN [$TOKEN] $OWN"; printf %s "$OWN" | wc -c', output: OUT }`);
    const [sub] = view.steps[0]!.subRuns;
    const child = await engine.get(sub!);
    expect(stdoutOf(child, 'show')).toBe(`******* [] *******\n${secret.length}\n`);
    expect(await everythingOf(engine, view)).not.toContain(secret);
    const { params, ...rest } = child;
    expect(JSON.stringify(rest)).not.toContain(secret);
    expect(params).toEqual([{ name: 'GIVEN', value: '*******' }]);
  });

  test('from files are relative to the working directory, then to the workflow file', async () => {
    const folder = makeTemporaryFolder();
    writeFileSync(path.join(folder, 'key.txt'), `${secret}\n`);
    const view = await new TestEngine().run(
      `
secrets: [{ name: KEY, provider: file, key: key.txt }]
steps: [{ name: a, command: 'printf %s "$KEY" | wc -c; echo "$KEY"' }]`,
      { defaultWorkingDir: folder },
    );
    expect(stdoutOf(view, 'a').replaceAll(/ /g, '')).toBe(`${secret.length + 1}\n*******\n`);
  });

  test('that are unavailable fail the run before any step', async () => {
    const view = await new TestEngine().run(`
secrets: [{ name: KEY, provider: env, key: NOT_SET_ANYWHERE }]
steps: [{ name: a, command: "true" }]`);
    expect(view).toMatchObject({ status: 'failed', cause: 'engine', steps: [{ status: 'not_started' }] });
    expect(view.error).toMatch(/secret KEY .*NOT_SET_ANYWHERE/);
  });

  test('are not shown in part either where text is truncated', async () => {
    vi.stubEnv('VAULT', secret);
    const engine = new TestEngine();
    const fill = (length: number): string => 'x'.repeat(length);
    const view = await engine.run(`
type: graph
secrets: [{ name: TOKEN, provider: env, key: VAULT }]
steps:
  - { name: value, command: "true", preconditions: [{ condition: "${fill(195)}$TOKEN", expected: other }] }
  - { name: stderr, command: "true", preconditions: [{ condition: 'printf "%s%s\\n%01010d\\n" a "$TOKEN" 7 >&2; exit 1' }] }
  - { name: one line, command: "true", preconditions: [{ condition: 'printf "%s%s%01020d" ${fill(1020)} "$TOKEN" 7 >&2; exit 1' }] }
  - { name: item, command: 'test $ITEM = 1', parallel: ["${fill(195)}$TOKEN"] }
  - { name: number, command: exit 1, retryPolicy: { limit: "${fill(55)}$TOKEN", intervalSec: 1 } }`);
    expect(view.status).toBe('failed');
    const everything = await everythingOf(engine, view);
    const parts = [secret.slice(0, 4), secret.slice(-5)];
    expect(parts.filter((part) => everything.includes(part))).toEqual([]);
    expect(view.steps[0]!.error).toContain(`${fill(195)}*******`);
  });

  test('are not shown in errors that precede their resolution', async () => {
    vi.stubEnv('ENGINE_VAULT', secret);
    const folder = makeTemporaryFolder();
    writeFileSync(path.join(folder, 'key.txt'), `other-${secret}`);
    const engine = new TestEngine();
    const early = 'echo "$ENGINE_VAULT" >&2; cat key.txt >&2; exit 1';
    const view = await engine.run(
      `
env: [{ X: '\`cd ${folder}; ${early}\`' }]
secrets: [{ name: ENGINE_TOKEN, provider: env, key: ENGINE_VAULT }, { name: KEY, provider: file, key: key.txt }]
steps: ["true"]`,
      { defaultWorkingDir: folder },
    );
    expect(view.error).toMatch(/failed: exit code 1: \*{7}\n\*{7}$/);
    const refused = await engine
      .run(`
params: [{ P: '\`echo "$ENGINE_VAULT" >&2; exit 1\`' }]
secrets: [{ name: ENGINE_TOKEN, provider: env, key: ENGINE_VAULT }]
steps: ["true"]`)
      .catch((error: unknown) => error);
    expect(String(refused)).toMatch(/failed: exit code 1: \*{7}$/);
  });

  test('are not shown in a sub-run that cannot start', async () => {
    vi.stubEnv('ENGINE_VAULT', secret);
    const engine = new TestEngine();
    const view = await engine.run(`
secrets: [{ name: ENGINE_TOKEN, provider: env, key: ENGINE_VAULT }]
steps: [{ name: call, run: child }]
---
name: child
env: [{ X: '\`echo "$ENGINE_TOKEN" >&2; exit 1\`' }]
steps: ["true"]`);
    const child = await engine.get(view.steps[0]!.subRuns[0]!);
    expect(child.error).toMatch(/exit code 1: \*{7}$/);
    expect((await everythingOf(engine, view)) + (await everythingOf(engine, child))).not.toContain(secret);
  });

  test('are not shown in values that a step with items derives from them', async () => {
    vi.stubEnv('VAULT', 'quo"ted\\back');
    const engine = new TestEngine();
    const view = await engine.run(`
secrets: [{ name: TOKEN, provider: env, key: VAULT }]
steps:
  - { name: many, command: 'printf %s "$ITEM"', parallel: ["$TOKEN"], output: R }
  - { name: next, command: 'printf %s "$R"' }`);
    expect(view.status).toBe('succeeded');
    expect(JSON.parse(stdoutOf(view, 'many'))).toMatchObject({ results: [{ item: '*******' }] });
    expect(view.outputs['R']).toEqual(JSON.parse(stdoutOf(view, 'many')));
    expect(await everythingOf(engine, view)).not.toContain('ted\\');
  });

  // Only there is a disk that is always full.
  if (process.platform === 'linux')
    test('are not shown in the journal of results', async () => {
      vi.stubEnv('VAULT', secret);
      const folder = makeTemporaryFolder();
      symlinkSync('/dev/full', path.join(folder, secret));
      const engine = new TestEngine();
      const view = await engine.run(
        `
  secrets: [{ name: TOKEN, provider: env, key: VAULT }]
  steps: [{ name: a, command: echo more than fits, stdout: $TOKEN }]`,
        { defaultWorkingDir: folder },
      );
      expect(view.steps[0]!.error).toContain('is incomplete: ENOSPC: no space left on device, write');
      expect(await everythingOf(engine, view)).not.toContain(secret);
    });
});
