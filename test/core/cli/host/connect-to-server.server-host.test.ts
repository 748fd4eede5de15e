import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import type { EventView } from '../../../../core/contract/logs.ts';
import type { RunDetailView } from '../../../../core/contract/run-views.ts';
import type { StreamObserver } from '../../../../core/contract/transport.ts';
import { remoteEngine, type ServerConnection } from '../../../../core/cli/host/connect-to-server.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeEventView, makeRunView } from '../../../harness/samples.ts';
import { until } from '../../../harness/resources.ts';

const run = { name: 'etl', dagRunId: 'one' };

/** A server that responds to `runs.get` with the statuses in order, repeating the last one, and records all calls. */
function openFakeServer(...statuses: RunDetailView['status'][]) {
  const calls: [name: string, input: unknown][] = [];
  const followed: unknown[] = [];
  const observers: StreamObserver<EventView>[] = [];
  const connection = {
    call(name: string, input: { readonly fileName?: string }) {
      calls.push([name, input]);
      if (input.fileName === 'missing') return Promise.reject(new AppError('not_found', 'There is none.'));
      if (name === 'dags.list') return Promise.resolve({ dags: [{ fileName: 'file', name: 'missing' }] });
      if (name !== 'runs.get') return Promise.resolve(run);
      const status = statuses.length > 1 ? statuses.shift()! : statuses[0]!;
      return Promise.resolve(makeRunView({ ...run, status, lastEventId: 7 }));
    },
    follow(_name: string, input: unknown, observer: StreamObserver<EventView>) {
      followed.push(input);
      observers.push(observer);
      return () => {};
    },
    close() {},
  } as unknown as ServerConnection;
  const clock = new FakeClock();
  const host = remoteEngine(connection, 'http://server', {
    cwd: '/',
    clock,
    caller: { via: 'cli', name: 'the test' },
  });
  return { host, clock, calls, followed, observers };
}

describe('run on a server', () => {
  it('is followed until its end event', async () => {
    const { host, observers } = openFakeServer('running', 'failed');
    const ended = host.waitForEnd(run);
    await until(() => observers.length === 1);
    observers[0]!.item(makeEventView(8, { type: 'run.finished', status: 'failed', outputs: {} }));
    expect(await ended).toMatchObject({ status: 'failed' });
  });

  it('is checked only when it has ended, if it was started here', async () => {
    const { host, calls, followed, observers } = openFakeServer('succeeded');
    const ended = host.waitForEnd(await host.startNamed('etl', { trigger: 'cli' }));
    expect(followed).toEqual([{ ...run, after: 0 }]);
    observers[0]!.item(makeEventView(1, { type: 'run.finished', status: 'succeeded', outputs: {} }));
    expect(await ended).toMatchObject({ status: 'succeeded' });
    expect(calls.map(([name]) => name)).toEqual(['dags.start', 'runs.get']);
  });

  it('is polled again after a delay when its events have stopped', async () => {
    const { host, clock, calls, observers } = openFakeServer('running', 'running', 'succeeded');
    const ended = host.waitForEnd(run);
    await until(() => observers.length === 1);
    observers[0]!.end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toHaveLength(1);
    clock.advance(1000);
    await until(() => observers.length === 2);
    observers[1]!.end();
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1000);
    expect(await ended).toMatchObject({ status: 'succeeded' });
    expect(calls).toHaveLength(3);
  });

  it('is abandoned when the server rejects its events', async () => {
    const { host, observers } = openFakeServer('running');
    const ended = host.waitForEnd(run);
    await until(() => observers.length === 1);
    observers[0]!.end({ code: 'unauthorized', message: 'The token has expired.' });
    await expect(ended).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('is detached from, since it cannot be killed from here', async () => {
    const { host, observers } = openFakeServer('running');
    const ended = host.waitForEnd(run);
    await until(() => observers.length === 1);
    host.forceStop(run);
    await expect(ended).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('server'),
    });
  });
});

describe('start on a server', () => {
  const words = ['a "b"', "it's", 'K=v w', '', 'two\nlines'];
  const text = `1='a "b"' 2=it's K='v w' 4='' 5='two\nlines'`;

  it('sends shell arguments as equivalent text', async () => {
    const { host, calls } = openFakeServer('running');
    await host.startRun({ source: { fileName: 'etl' }, trigger: 'cli', params: words, name: 'other' });
    await host.enqueueRun({ source: { spec: 'steps: []' }, trigger: 'cli', params: words, priority: 3 });
    expect(calls).toMatchObject([
      ['dags.start', { fileName: 'etl', dagName: 'other', params: text }],
      ['runs.enqueue', { spec: 'steps: []', params: text, priority: 3 }],
    ]);
  });

  it('resolves a name only when there is no such file', async () => {
    const { host, calls } = openFakeServer('running');
    await host.startNamed('missing', { trigger: 'cli', params: 'A=1' });
    expect(calls.map(([name]) => name)).toEqual(['dags.start', 'dags.get', 'dags.list', 'dags.start']);
    expect(calls.at(-1)![1]).toMatchObject({ fileName: 'file', params: 'A=1' });
  });

  it('creates a new run from an earlier one', async () => {
    const { host, calls } = openFakeServer('running');
    await host.startRun({ source: { run }, trigger: 'cli', dagRunId: 'two' });
    expect(calls).toEqual([
      ['runs.reschedule', { name: 'etl', fromRunId: 'one', dagRunId: 'two', singleton: false }],
    ]);
  });

  it('sends directories as they are, and the text of a base configuration', async () => {
    const { host, calls } = openFakeServer('running');
    const folder = { trigger: 'cli', startedBy: 'root', defaultWorkingDir: 'D:\\there' } as const;
    await host.startRun({ source: { fileName: 'etl' }, ...folder });
    await host.startRun({ source: { run }, ...folder, singleton: true });
    await host.enqueueRun({
      source: { spec: 'steps: []', base: { text: 'env: {}', file: '/b' } },
      ...folder,
    });
    const sent = { defaultWorkingDir: 'D:\\there' };
    expect(calls).toMatchObject([
      ['dags.start', sent],
      ['runs.reschedule', { ...sent, singleton: true }],
      ['runs.enqueue', { ...sent, spec: 'steps: []', base: 'env: {}' }],
    ]);
    expect(Object.keys((calls[2] as [string, object])[1])).not.toContain('trigger');
    expect(JSON.stringify(calls)).not.toContain('startedBy');
  });
});
