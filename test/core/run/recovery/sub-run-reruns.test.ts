import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { testCaller } from '../../../harness/engine.ts';
import { attemptsOf, retry, runFailing } from '../run-harness.ts';

describe('step that starts again', () => {
  const parent = (child: string): string => `
name: parent
steps: [{ name: sub, run: child, params: "WHO=ann" }]
---
name: child
params: WHO=nobody
${child}`;
  const half = `
steps:
  - { name: first, command: 'echo first >> log' }
  - { name: second, command: 'echo "$WHO" >> log; test -e ready' }`;

  test('retries the run it had started, when that failed', async () => {
    const { engine, folder, view, mend } = await runFailing(parent(half));
    const [child] = view.steps[0]!.subRuns;
    mend();
    const again = await retry(engine, view);
    expect(again.status).toBe('succeeded');
    expect(again.steps[0]!.subRuns).toEqual([child]);
    expect(attemptsOf(await engine.get(child!))).toEqual({ first: 1, second: 2 });
    expect(readFileSync(path.join(folder, 'log'), 'utf8')).toBe('first\nann\nann\n');
  });

  test('starts another when it had succeeded, or with other parameters', async () => {
    const { engine, view, mend } = await runFailing(parent(half));
    mend();
    const second = await retry(engine, view);
    const third = await retry(engine, second, { stepName: 'sub' });
    expect(third.steps[0]!.subRuns).toHaveLength(2);
    const changing = `
steps:
  - { name: pick, command: 'echo x >> picks; wc -l < picks', output: N, continueOn: failed }
  - { name: sub, run: child, params: "N=\${N}" }
---
name: child
params: N=0
steps: [exit 1]`;
    const other = await runFailing(changing);
    const again = await retry(other.engine, other.view, { stepName: 'pick', downstream: true });
    expect(again.steps[1]!.subRuns).toHaveLength(2);
  });
});

test('a repeating step starts another run each time, and retries the one of that time', async () => {
  const { view } = await runFailing(`
steps:
  - name: poll
    run: child
    repeatPolicy: { repeat: until, condition: '[ "$(wc -l < asked)" -ge 3 ]', intervalSec: 0, limit: 5 }
    retryPolicy: { limit: 1, intervalSec: 0 }
---
name: child
steps: [echo x >> asked, '[ "$(wc -l < asked)" -ge 3 ]']`);
  expect(view.status).toBe('succeeded');
  expect(attemptsOf(view)).toEqual({ poll: 5 });
  expect(view.steps[0]!.subRuns).toHaveLength(3);
});

describe('sub-run that is retried by itself', () => {
  const family = (params: string): string => `
env: { PLACE: kitchen }
secrets: [{ name: KEY, provider: env, key: SECRET_OF_THE_HOUSE }]
steps: [{ name: sub, run: child, params: "${params}" }]
---
name: child
env: { WHERE: "\${PLACE} \${KEY}" }
steps: [{ name: say, command: 'echo "$WHERE" >> log; test -e ready' }]`;

  test('gets the same input from its parent again', async () => {
    vi.stubEnv('SECRET_OF_THE_HOUSE', 'under-the-mat');
    const { engine, folder, view, mend } = await runFailing(family('WHO=ann'));
    const [child] = view.steps[0]!.subRuns;
    mend();
    expect((await retry(engine, child!)).status).toBe('succeeded');
    expect(readFileSync(path.join(folder, 'log'), 'utf8')).toBe('kitchen under-the-mat\n'.repeat(2));
  });

  test('is rejected when its parameters contain a secret, naming the run that has it', async () => {
    vi.stubEnv('SECRET_OF_THE_HOUSE', 'under-the-mat');
    const { engine, view } = await runFailing(family('KEY=$KEY'));
    const [child] = view.steps[0]!.subRuns;
    await expect(engine.host.api.call('runs.retry', child!, testCaller)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(`Retry the parent run instead: ${view.dagRunId}`),
    });
  });
});

test('a sub-run of a sub-run is rejected when its input from its parent contained a secret', async () => {
  vi.stubEnv('SECRET_OF_THE_HOUSE', 'under-the-mat');
  const { engine, view } = await runFailing(`
secrets: [{ name: KEY, provider: env, key: SECRET_OF_THE_HOUSE }]
steps: [{ name: sub, run: middle, params: "GIVEN=$KEY" }]
---
name: middle
params: { GIVEN: "" }
env: { PLACE: "$GIVEN" }
steps: [{ name: sub, run: inner }]
---
name: inner
env: { WHERE: "$PLACE" }
steps: [{ name: say, command: 'echo "$WHERE" >> log; test -e ready' }]`);
  const middle = await engine.get(view.steps[0]!.subRuns[0]!);
  const [inner] = middle.steps[0]!.subRuns;
  await expect(engine.host.api.call('runs.retry', inner!, testCaller)).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining(`Retry the parent run instead: ${view.dagRunId}`),
  });
});
