import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { makeTemporaryFolder } from '../../rig/temporary-folder.ts';
import { TestEngine, type RunView } from '../../rig/test-engine.ts';
import { eventsOf, printed } from './run-rig.ts';

const secret = 'hunter2-and-more';

/** Everything that is kept of a run: what the API tells, its events, and every file of its folder. */
async function everythingOf(engine: TestEngine, view: RunView): Promise<string> {
  const files = readdirSync(view.logDir!, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
  return JSON.stringify([view, await eventsOf(engine, view)]) + files.join('\n');
}

describe('secrets', () => {
  test('reach steps, and are hidden in logs, outputs, events, errors and the API', async () => {
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
    expect(printed(view, 'whole')).toBe('token *******\n');
    expect(printed(view, 'split')).toBe('*******.\n');
    expect(printed(view, 'onExit')).toBe('bye *******\n');
    expect(view.outputs['SAID']).toBe('token *******');
    expect(readFileSync(path.join(folder, 'size'), 'utf8').trim()).toBe(String(secret.length));
    expect(readFileSync(path.join(folder, 'copy.log'), 'utf8')).toBe('*******\n');
    expect(view.steps.find(({ name }) => name === 'fail')!.error).toContain('bad *******');
    expect(await everythingOf(engine, view)).not.toContain(secret);
  });

  test('reach sub-workflows as far as these ask for them, and are hidden there, too', async () => {
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
    expect(printed(child, 'show')).toBe(`******* [] *******\n${secret.length}\n`);
    expect(await everythingOf(engine, view)).not.toContain(secret);
    const { params, ...rest } = child;
    expect(JSON.stringify(rest)).not.toContain(secret);
    expect(params).toEqual([{ name: 'GIVEN', value: '*******' }]);
  });

  test('of files count from the working directory, then from the file of the workflow', async () => {
    const folder = makeTemporaryFolder();
    writeFileSync(path.join(folder, 'key.txt'), `${secret}\n`);
    const view = await new TestEngine().run(
      `
secrets: [{ name: KEY, provider: file, key: key.txt }]
steps: [{ name: a, command: 'printf %s "$KEY" | wc -c; echo "$KEY"' }]`,
      { defaultWorkingDir: folder },
    );
    expect(printed(view, 'a').replaceAll(/ /g, '')).toBe(`${secret.length + 1}\n*******\n`);
  });

  test('that cannot be had end the run before any step', async () => {
    const view = await new TestEngine().run(`
secrets: [{ name: KEY, provider: env, key: NOT_SET_ANYWHERE }]
steps: [{ name: a, command: "true" }]`);
    expect(view).toMatchObject({ status: 'failed', cause: 'engine', steps: [{ status: 'not_started' }] });
    expect(view.error).toMatch(/secret KEY .*NOT_SET_ANYWHERE/);
  });

  test('do not show in part either where a text is clipped', async () => {
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

  test('do not show in the texts of what fails before they are there', async () => {
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

  test('do not show in a sub-run that cannot begin', async () => {
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

  test('do not show in what a step with items makes of them', async () => {
    vi.stubEnv('VAULT', 'quo"ted\\back');
    const engine = new TestEngine();
    const view = await engine.run(`
secrets: [{ name: TOKEN, provider: env, key: VAULT }]
steps:
  - { name: many, command: 'printf %s "$ITEM"', parallel: ["$TOKEN"], output: R }
  - { name: next, command: 'printf %s "$R"' }`);
    expect(view.status).toBe('succeeded');
    expect(JSON.parse(printed(view, 'many'))).toMatchObject({ results: [{ item: '*******' }] });
    expect(view.outputs['R']).toEqual(JSON.parse(printed(view, 'many')));
    expect(await everythingOf(engine, view)).not.toContain('ted\\');
  });

  // Only there is a disk that is always full.
  if (process.platform === 'linux')
    test('do not show in the journal of ends', async () => {
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
