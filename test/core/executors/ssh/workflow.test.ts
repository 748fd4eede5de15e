import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeWithSsh, isRunning } from '../../../harness/servers/ssh.ts';
import { statusesOf, stdoutOf, TestEngine } from '../../../harness/engine.ts';
import { until } from '../../../harness/resources.ts';

describeWithSsh('workflows whose steps run on another host', (server) => {
  const withSsh = (steps: string): string => `ssh: ${JSON.stringify(server().config())}\n${steps}`;

  it('pass outputs, parameters and variables to the host', async () => {
    const engine = new TestEngine();
    const view = await engine.run(
      withSsh(`params: "first NAME=x'y"
env: [{GREETING: "good day"}]
handlerOn: {exit: 'echo "exit $SSH_CONNECTION"'}
steps:
  - {command: 'echo "{\\"key\\": \\"it''s $NAME\\"}"', output: OUT}
  - {script: 'echo "$GREETING, $1, \${OUT.key}"; test -n "$SSH_CONNECTION"'}
  - {type: command, command: 'echo "here\${SSH_CONNECTION:-}"'}
  - {command: 'echo "item $ITEM"', parallel: [a, b], output: ITEMS}
  - {type: command, command: 'echo "\${ITEMS.results[1].output}"'}
`),
    );
    expect(view.error).toBeUndefined();
    expect(view.status).toBe('succeeded');
    expect(stdoutOf(view, 'script_2')).toBe("good day, first, it's x'y\n");
    expect(stdoutOf(view, 'cmd_3')).toBe('here\n');
    expect(stdoutOf(view, 'cmd_5')).toBe('item b\n');
    expect(stdoutOf(view, 'onExit')).toContain('127.0.0.1');
    await until(() => server().connections().length === 0);
  });

  it('mask secrets in output and errors', async () => {
    process.env['SSH_TEST_SECRET'] = 'open-sesame';
    const engine = new TestEngine();
    const view = await engine.run(
      withSsh(`secrets: [{name: TOKEN, provider: env, key: SSH_TEST_SECRET}]
steps: ['echo "$TOKEN"; echo "bad $TOKEN" >&2; exit 3']
`),
    );
    delete process.env['SSH_TEST_SECRET'];
    expect(stdoutOf(view, 'cmd_1')).not.toContain('open-sesame');
    expect(view.steps[0]!.error).toMatch(/^exit code 3.*: bad /);
    expect(view.steps[0]!.error).not.toContain('open-sesame');
  });

  it('retry by the exit code of the host', async () => {
    const engine = new TestEngine();
    const view = await engine.run(
      withSsh(`steps: [{command: exit 75, retryPolicy: {limit: 1, intervalSec: 0, exitCode: 75}}]`),
    );
    expect(view.steps[0]!.attempts.map(({ exitCode }) => exitCode)).toEqual([75, 75]);
  });

  it('end remote commands when the run is stopped', async () => {
    const engine = new TestEngine();
    const run = await engine.start(withSsh(`steps: ['echo $$; exec sleep 1000']`));
    // The attempt is reported before its log exists.
    const logNode = (file: string | undefined): string =>
      file === undefined || !existsSync(file) ? '' : readFileSync(file, 'utf8');
    const started = await engine.untilRun(run, (view) =>
      logNode(view.steps[0]!.attempts.at(-1)?.stdoutFile).endsWith('\n'),
    );
    const pid = Number(stdoutOf(started, 'cmd_1'));
    await engine.host.api.call('runs.stop', run, { via: 'cli', name: 'the test' });
    const view = await engine.end(run);
    expect(statusesOf(view)).toEqual({ cmd_1: 'aborted' });
    expect(isRunning(pid)).toBe(false);
    await until(() => server().connections().length === 0);
  });
});
