import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
});
