import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { stdoutOf } from '../../harness/engine.ts';
import { openReceiverHarness } from '../webhooks/webhook-harness.ts';

type Harness = Awaited<ReturnType<typeof openReceiverHarness>>;

const push = (ref = 'refs/heads/main', more = {}) => ({
  ref,
  commits: [{ added: ['src/a.ts'], removed: [], modified: [] }],
  repository: { full_name: 'octo/repo' },
  sender: { login: 'mona' },
  ...more,
});

/** The outcome of the newest delivery. */
async function decisions(harness: Harness, receiver: Awaited<ReturnType<Harness['create']>>) {
  const [newest] = await harness.deliveries(receiver);
  return newest!.decisions;
}

describe('a workflow with `on: webhook:`', () => {
  it('starts with parameters, variables and the payload as a file', async () => {
    const harness = await openReceiverHarness();
    harness.write(
      'deploy',
      `
on:
  webhook:
    event: push
    branches: main
    params:
      REPO: $.repository.full_name
      FIRST: $.commits[0].added[-1]
      WHO: {path: $.nobody.login, default: someone}
      LIST: $.commits[0].added
steps:
  - name: show
    command: echo "$REPO $FIRST $WHO $LIST $WEBHOOK_EVENT $WEBHOOK_DELIVERY $WEBHOOK_RECEIVER [$WEBHOOK_ACTION]"
  - name: payload
    command: cat "$WEBHOOK_PAYLOAD_FILE"
`,
    );
    const receiver = await harness.create();
    expect(receiver.workflows).toEqual(['deploy']);
    const { status, body } = await harness.send(receiver, push(), { guid: 'g1' });
    expect(status).toBe(202);
    expect(body.runs).toEqual([{ name: 'deploy', dagRunId: expect.any(String) }]);
    await harness.settled(receiver);
    const view = await harness.engine.end(body.runs![0]!);
    expect(view).toMatchObject({ status: 'succeeded', trigger: 'webhook', startedBy: 'webhook github' });
    expect(stdoutOf(view, 'show')).toBe('octo/repo src/a.ts someone ["src/a.ts"] push g1 github []\n');
    expect(JSON.parse(stdoutOf(view, 'payload'))).toEqual(push());
    expect(await decisions(harness, receiver)).toEqual([
      { workflow: 'deploy', trigger: 0, outcome: 'started', run: body.runs![0] },
    ]);
  });

  it('is available as a template, started by a push or manually', async () => {
    const harness = await openReceiverHarness();
    harness.write('webhook-push', readFileSync('resources/templates/webhook-push.yaml', 'utf8'));
    const receiver = await harness.create({ name: 'forge' });
    const payload = push('refs/heads/release/2', { after: '5e1d', deleted: false });
    const { body } = await harness.send(receiver, payload);
    await harness.settled(receiver);
    const view = await harness.engine.end(body.runs![0]!);
    expect(view.status).toBe('succeeded');
    expect(stdoutOf(view, 'print')).toBe('unknown pushed 5e1d to octo/repo\n');
    expect(stdoutOf(view, 'list files')).toBe('src/a.ts\n');
    const gone = await harness.send(receiver, { ...payload, deleted: true });
    expect(gone.body.runs).toEqual([]);
  });

  it('treats payload values as data, never as shell text', async () => {
    const harness = await openReceiverHarness();
    harness.write(
      'shell',
      'on: {webhook: {params: {T: $.title}}}\nsteps:\n  - name: a\n    command: echo "${T}"\n',
    );
    const receiver = await harness.create();
    const title = '"; echo hacked; `echo hacked` $(echo hacked) \'';
    const { body } = await harness.send(receiver, { title }, { event: 'issues' });
    await harness.settled(receiver);
    expect(stdoutOf(await harness.engine.end(body.runs![0]!), 'a')).toBe(`${title}\n`);
  });

  it('starts many workflows, and reports why others were skipped', async () => {
    const harness = await openReceiverHarness();
    const write = (name: string, on: string): void =>
      harness.write(name, `on: {webhook: ${on}}\nsteps: ["true"]\n`);
    write('a', '{event: push}');
    write('b', '[{event: issues}, {event: [push, issues], branches: "re*/**"}]');
    write('c', '{event: push, branchesIgnore: main}');
    write('d', '{event: push, tags: "v*"}');
    write('e', '{event: push, paths: docs/**}');
    write('f', '{event: push, if: "payload.sender.login != \'mona\'"}');
    write('g', "{event: push, if: \"payload.sender.login == 'mona' && event == 'push'\"}");
    write('h', '{receiver: other, event: push}');
    write('i', '{event: push, if: "nonsense("}');
    write('j', '{event: push, if: "fromJSON(payload.ref)"}');
    harness.write('k', 'on: {webhook: {event: push}}\nsteps: 7\n');
    write('l', '{}');
    const receiver = await harness.create();
    const { body } = await harness.send(receiver, push());
    expect(body.runs!.map(({ name }) => name)).toEqual(['a', 'g', 'l']);
    await harness.settled(receiver);
    expect(
      (await decisions(harness, receiver)).map(({ workflow, outcome, reason }) =>
        [workflow, outcome, reason].join(' '),
      ),
    ).toEqual([
      'a started ',
      'g started ',
      'l started ',
      'b passed_over The event is `push`, not `issues`.',
      'b passed_over The branch `main` does not match the filter.',
      'c passed_over The branch `main` does not match the filter.',
      'd passed_over The branch `main` does not match the filter.',
      'e passed_over None of the 1 changed files matches the filter.',
      "f passed_over `if` is false: payload.sender.login != 'mona'",
      expect.stringMatching(
        /^i passed_over The workflow cannot run because of an error: i\.yaml:1:33: Invalid expression in "if": missing value, at the end\./,
      ),
      expect.stringMatching(/j passed_over Cannot evaluate `if`\..*fromJSON/),
      expect.stringMatching(/^k passed_over The workflow cannot run because of an error: k\.yaml:2:8: /),
    ]);
  });

  it('reports when the base configuration prevents the start', async () => {
    const harness = await openReceiverHarness();
    harness.write('a', 'on: {webhook: {}}\nsteps: ["true"]\n');
    writeFileSync(path.join(harness.engine.home, 'base.yaml'), 'maxActiveRuns: many\n');
    const receiver = await harness.create();
    expect((await harness.send(receiver, push())).body.runs).toEqual([]);
    expect((await decisions(harness, receiver)).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^The workflow cannot run because of an error: base\.yaml:1:16: /),
    ]);
  });

  it('is not started by `ping` unless listed, nor by an unlisted event', async () => {
    const harness = await openReceiverHarness();
    harness.write('any', 'on: {webhook: {}}\nsteps: ["true"]\n');
    harness.write('ping', 'on: {webhook: {event: ping}}\nsteps: ["true"]\n');
    harness.write('alert', 'on: {webhook: {event: dependabot_alert, actions: created}}\nsteps: ["true"]\n');
    const receiver = await harness.create();
    const ping = await harness.send(receiver, { zen: 'x' }, { event: 'ping' });
    expect(ping.body.runs!.map(({ name }) => name)).toEqual(['ping']);
    const alert = await harness.send(receiver, { action: 'created' }, { event: 'dependency_alert' });
    expect(alert.body.runs!.map(({ name }) => name)).toEqual(['alert', 'any']);
    await harness.settled(receiver);
  });

  it('is not started twice by a repeated delivery, but again by a replay', async () => {
    const harness = await openReceiverHarness();
    harness.write('one', 'maxActiveRuns: 5\non: {webhook: {}}\nsteps: ["true"]\n');
    const receiver = await harness.create();
    const first = await harness.send(receiver, push(), { guid: 'same' });
    const again = await harness.send(receiver, push(), { guid: 'same' });
    expect(again.body).toMatchObject({ duplicateOf: '1', runs: [] });
    const replayed = await harness.api.call(
      'receivers.replay',
      { receiverId: receiver.id, id: '2' },
      harness.caller,
    );
    await harness.settled(receiver);
    expect(replayed).toMatchObject({ replayOf: '2', verified: true, runs: [{ name: 'one' }] });
    expect(replayed.runs[0]).not.toEqual(first.body.runs![0]);
    await harness.engine.end(replayed.runs[0]!);
  });

  it('with `singleton` skips while a run is active or queued', async () => {
    const harness = await openReceiverHarness();
    harness.write('single', 'queue: q\non: {webhook: {singleton: true}}\nsteps: ["true"]\n');
    const receiver = await harness.create();
    await harness.send(receiver, push());
    await harness.settled(receiver);
    await harness.send(receiver, push());
    await harness.settled(receiver);
    const [second, first] = await harness.deliveries(receiver);
    expect(first!.decisions).toMatchObject([{ outcome: 'started' }]);
    expect(second!.decisions).toMatchObject([
      { outcome: 'refused', reason: expect.stringContaining('already has 1 active or queued run.') },
    ]);
    expect(second!.runs).toEqual([]);
  });

  it('with `debounce` waits for a later delivery, separately per key', async () => {
    const harness = await openReceiverHarness();
    harness.write(
      'late',
      'maxActiveRuns: 9\non: {webhook: {debounce: 30s, concurrencyKey: payload.ref, params: {REF: $.ref, N: $.n}}}\nsteps: ["true"]\n',
    );
    const receiver = await harness.create();
    await harness.send(receiver, push('refs/heads/a', { n: 1 }));
    harness.engine.clock.advance(20_000);
    await harness.send(receiver, push('refs/heads/a', { n: 2 }));
    await harness.send(receiver, push('refs/heads/b', { n: 3 }));
    harness.engine.clock.advance(20_000);
    await harness.settled(receiver);
    expect((await harness.deliveries(receiver)).map(({ decisions: [one] }) => one!.outcome)).toEqual([
      'pending',
      'pending',
      'replaced',
    ]);
    const { store } = harness.engine.host.inbound;
    while ((await store.listDueStarts({ at: Infinity, receivedBefore: 0, limit: 9 })).length > 0) {
      harness.engine.clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const [b, a, replaced] = await harness.deliveries(receiver);
    expect(replaced!.decisions[0]!.reason).toContain(
      'Replaced by delivery 2, which arrived within the `debounce` time.',
    );
    expect(replaced!.runs).toEqual([]);
    expect([a, b].map((one) => one!.decisions[0]!.outcome)).toEqual(['started', 'started']);
    const run = await harness.engine.get(a!.runs[0]!);
    expect(run.params).toContainEqual({ name: 'N', value: '2' });
  });

  it('with `concurrencyKey` serializes runs of one key, not those of another', async () => {
    const harness = await openReceiverHarness();
    harness.write(
      'keyed',
      'maxActiveRuns: -1\non: {webhook: {queue: etl, concurrencyKey: "format(\'{0}\', payload.ref)"}}\nsteps: ["true"]\n',
    );
    const receiver = await harness.create();
    for (const ref of ['refs/heads/a', 'refs/heads/a', 'refs/heads/b'])
      await harness.send(receiver, push(ref));
    await harness.settled(receiver);
    const { queues } = await harness.api.call('queues.list', {}, harness.caller);
    expect(
      queues.map(({ name, maxConcurrency, queuedCount }) => [name, maxConcurrency, queuedCount]),
    ).toEqual([
      ['etl:refs/heads/a', 1, 2],
      ['etl:refs/heads/b', 1, 1],
    ]);
  });

  it('does not start at the end of a chain of webhooks', async () => {
    const harness = await openReceiverHarness();
    harness.write('loop', 'on: {webhook: {}}\nsteps: ["true"]\n');
    const { store } = harness.engine.host.inbound;
    const receiver = await harness.create();
    store.findEventDepth = (guid) => Promise.resolve(guid === 'deep' ? 3 : 2);
    const deep = await harness.send(receiver, push(), { guid: 'deep' });
    expect(deep.body.runs).toEqual([]);
    expect((await decisions(harness, receiver))[0]!.reason).toContain(
      'The delivery is part of a chain of 3 webhook-triggered runs. Chains longer than 3 start no runs.',
    );
    expect((await harness.send(receiver, push())).body.runs).toHaveLength(1);
    await harness.settled(receiver);
  });

  it('reports values that cannot become parameters', async () => {
    const harness = await openReceiverHarness();
    harness.write('long', 'on: {webhook: {params: {T: $.text}}}\nsteps: ["true"]\n');
    const receiver = await harness.create();
    for (const text of ['x'.repeat(70_000), 'a\0b']) await harness.send(receiver, { text });
    await harness.settled(receiver);
    expect((await harness.deliveries(receiver)).map(({ decisions: [one] }) => one!.reason)).toEqual([
      'The value of parameter T contains a NUL character, which environment variables do not allow.',
      expect.stringContaining('is 70000 bytes'),
    ]);
  });

  it('validates only parameters that the workflow has against their schema', async () => {
    const harness = await openReceiverHarness();
    harness.write(
      'schema',
      `
params: {schema: {type: object, properties: {N: {type: integer}}, additionalProperties: false}}
on: {webhook: {params: {N: $.n}}}
steps: [{name: a, command: 'echo $N $WEBHOOK_EVENT'}]
`,
    );
    const receiver = await harness.create();
    const { body } = await harness.send(receiver, { n: 3 });
    await harness.settled(receiver);
    expect(stdoutOf(await harness.engine.end(body.runs![0]!), 'a')).toBe('3 push\n');
    await harness.send(receiver, { n: 'x' });
    await harness.settled(receiver);
    expect(await decisions(harness, receiver)).toMatchObject([
      { outcome: 'refused', reason: expect.stringContaining('parameter validation failed') },
    ]);
  });

  it('stores payloads for this user only', async () => {
    const harness = await openReceiverHarness();
    harness.write('p', 'on: {webhook: {}}\nsteps: ["true"]\n');
    const receiver = await harness.create();
    const { body } = await harness.send(receiver, { a: 1 });
    await harness.settled(receiver);
    const { params } = await harness.engine.end(body.runs![0]!);
    const file = params.find(({ name }) => name === 'WEBHOOK_PAYLOAD_FILE')!.value;
    expect(readFileSync(file, 'utf8')).toBe('{"a":1}');
    await harness.api.call('receivers.delete', { receiverId: receiver.id }, harness.caller);
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });
});
