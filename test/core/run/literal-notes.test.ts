import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { TestEngine } from '../../harness/engine.ts';

afterEach(() => vi.unstubAllEnvs());

it('the log of a run lists what stays as written, once, and which output masks a secret', async () => {
  vi.stubEnv('ENGINE_VAULT', 'hunter2-hunter2');
  const engine = new TestEngine();
  const view = await engine.run(`
secrets: [{ name: TOKEN, provider: env, key: ENGINE_VAULT }]
env: [{ SUM: $((1+2)) }, { BASE: "\${HOME%x}" }]
steps:
  - { name: a, command: 'printf "%s" "key=$TOKEN" | cat', output: R }
  - { name: b, command: "echo '\${R.key}'" }
`);
  expect(view.status).toBe('succeeded');
  const log = readFileSync(path.join(view.logDir!, 'run.log'), 'utf8');
  const warnings = log.split('\n').filter((line) => line.includes('warning'));
  expect(warnings.map((line) => line.replace(/^\S+ warning: /, ''))).toEqual([
    '${HOME%x} is not expanded: only ":-", ":+" and slices are supported here. Use a command instead.',
    '$((1+2)) is not expanded here. Run a command in backticks: `echo "$((1+2))"`.',
    '${R.key} is not expanded in single quotes. Use double quotes: "${R.key}".',
    'The output R contains a secret, which later steps see as *******. Use the secret directly in those steps.',
  ]);
});
