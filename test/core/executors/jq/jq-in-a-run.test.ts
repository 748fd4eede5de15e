import { describe, expect, it } from 'vitest';
import { stdoutOf, statusesOf, TestEngine } from '../../../harness/engine.ts';

describe('steps of type jq in a run', () => {
  it('read the output of other steps and produce theirs', async () => {
    const view = await new TestEngine().run(String.raw`
params:
  - LEAST: 3
  - FIELD: "the name"
steps:
  - command: echo '[{"n":2,"the name":"a"},{"n":5,"the name":"b \"c\""}]'
    output: ROWS
  - name: pick
    type: jq
    command: .[] | select(.n >= ${'${LEAST}'}) | .${'${FIELD}'}
    config: { input: "${'${ROWS}'}", raw: true }
    output: PICKED
  - name: wrap
    type: jq
    command: '"\(.picked)/${'${LEAST}'}", $who, $ENV.LEAST'
    script: '{"picked": "${'${PICKED}'}"}'
    config: { args: { who: "${'${PICKED}'}" }, compact: true }
`);
    expect(view.status).toBe('succeeded');
    expect(stdoutOf(view, 'pick')).toBe('b "c"\n');
    expect(stdoutOf(view, 'wrap')).toBe('"b \\"c\\"/3"\n"b \\"c\\""\n"3"\n');
  });

  it('fail with the exit code of jq, which can be ignored', async () => {
    const view = await new TestEngine().run(`
steps:
  - name: broken
    type: jq
    command: .a.b
    script: '{"a": 1}'
    continueOn: { exitCode: 5 }
  - name: after
    type: jq
    command: .
    script: '1'
`);
    expect(statusesOf(view)).toEqual({ broken: 'failed', after: 'succeeded' });
    expect(view.steps[0]).toMatchObject({
      attempts: [{ exitCode: 5, error: 'jq: error (at <script>:0): Cannot index number with string "b"' }],
    });
  });

  it('end with the run even if the query is endless', async () => {
    const engine = new TestEngine();
    const run = await engine.start(`
steps:
  - { name: endless, type: jq, command: "def f: f; f", script: "1" }
`);
    await engine.untilRun(run, (view) => view.steps[0]!.status === 'running');
    await engine.host.api.call('runs.stop', run, { via: 'cli', name: 'the test' });
    const view = await engine.end(run);
    expect(statusesOf(view)).toEqual({ endless: 'aborted' });
  });
});
