import { expect, test, vi } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import { SessionBridge, Session } from '../../../renderer/api/session.ts';
import { FakeBridge, builtinInfo, makeCurrentUser } from '../renderer-harness.tsx';
import { waitUntilPasses } from '../../harness/resources.ts';

const refuse = (): never => {
  throw new AppError('unauthorized', 'The session has ended.');
};

/** An engine with the user `who.name`, which responds 401 without one. */
function open(asking?: 'unknown') {
  const who: { name: string | undefined } = { name: 'ann' };
  const direct = new FakeBridge({
    'auth.info': () => builtinInfo,
    'auth.login': refuse,
    'auth.me': () => (who.name === undefined ? refuse() : makeCurrentUser(who.name)),
    'dags.start': ({ fileName }) =>
      who.name === undefined ? refuse() : { name: fileName, dagRunId: `of ${who.name}` },
  });
  const session = new Session(asking);
  const bridge = new SessionBridge(direct, session);
  return { who, direct, session, bridge, state: () => session.store.getState() };
}

const start = { fileName: 'etl' };

test('a call without credentials waits for the sign-in and is sent again', async () => {
  const { who, session, bridge, state, direct } = open();
  await bridge.call('auth.me', {});
  who.name = undefined;
  const started = bridge.call('dags.start', start);
  await waitUntilPasses(() => expect(state().asking).toBe('expired'));
  who.name = 'ann';
  session.signedIn(makeCurrentUser('ann'));
  expect(await started).toEqual({ name: 'etl', dagRunId: 'of ann' });
  expect(state().asking).toBeUndefined();
  expect(direct.callsOf('dags.start')).toEqual([start, start]);
});

test('a call of one user is not repeated as another', async () => {
  const { who, session, bridge, state, direct } = open();
  await bridge.call('auth.me', {});
  who.name = undefined;
  const started = bridge.call('dags.start', start);
  await waitUntilPasses(() => expect(state().asking).toBe('expired'));
  const { person } = state();
  who.name = 'bob';
  session.signedIn(makeCurrentUser('bob'));
  await expect(started).rejects.toThrow('Another user has signed in');
  expect(direct.callsOf('dags.start')).toHaveLength(1);
  expect(state()).toMatchObject({ asking: undefined, person: person + 1 });
});

test('a 401 that arrives after the sign-in does not prompt again', async () => {
  const { session, bridge, state, direct } = open();
  const late = Promise.withResolvers<never>();
  const answers = [() => late.promise, () => ({ name: 'etl', dagRunId: 'run-1' })];
  direct.answers['dags.start'] = () => answers.shift()!();
  const started = bridge.call('dags.start', start);
  session.signedIn(makeCurrentUser('ann'));
  late.reject(new AppError('unauthorized', 'The session has ended.'));
  expect(await started).toEqual({ name: 'etl', dagRunId: 'run-1' });
  expect(state().asking).toBeUndefined();
});

test('sends nothing during sign-in, and everything once afterwards', async () => {
  const { bridge, direct, session } = open('unknown');
  const started = bridge.call('dags.start', start);
  const stop = bridge.follow('events.follow', {}, { item() {}, end() {} });
  await bridge.call('auth.info', {});
  expect(direct.calls.map(({ name }) => name)).toEqual(['auth.info']);
  expect(direct.followers('events.follow')).toBe(0);
  session.admit();
  expect(await started).toEqual({ name: 'etl', dagRunId: 'of ann' });
  expect(direct.followers('events.follow')).toBe(1);
  stop();
});

test('the page reports that no user is signed in until it knows one', async () => {
  const { who, bridge, state } = open();
  who.name = undefined;
  void bridge.call('dags.start', start);
  await waitUntilPasses(() => expect(state().asking).toBe('first'));
});

test('passes on other errors, and those of the sign-in itself', async () => {
  const { bridge, state, direct } = open();
  await expect(bridge.call('auth.login', { username: 'ann', password: 'x' })).rejects.toThrow('has ended');
  direct.answers['dags.start'] = () => {
    throw new AppError('forbidden', '"ann" has the role viewer.');
  };
  await expect(bridge.call('dags.start', start)).rejects.toThrow('has the role viewer');
  expect(state().asking).toBeUndefined();
});

test('a stream that ends for lack of credentials is reopened after the sign-in', async () => {
  const { session, bridge, direct, state } = open();
  const ends: ((error: AppError) => void)[] = [];
  const follow = vi.spyOn(direct, 'follow').mockImplementation((_name, _input, observer) => {
    ends.push((error) => observer.end(error));
    return () => undefined;
  });
  const ended = vi.fn<() => void>();
  bridge.follow('events.follow', {}, { item() {}, end: ended });
  ends[0]!(new AppError('unauthorized', 'The session has ended.'));
  expect(state().asking).toBe('first');
  expect(follow).toHaveBeenCalledTimes(1);
  session.signedIn(makeCurrentUser('ann'));
  await waitUntilPasses(() => expect(follow).toHaveBeenCalledTimes(2));
  expect(ended).not.toHaveBeenCalled();
  ends[1]!(new AppError('not_found', 'gone'));
  expect(ended).toHaveBeenCalledOnce();
});

test('signing out ends the streams immediately, and the next sign-in reopens them', async () => {
  const { session, bridge, direct } = open();
  await bridge.call('auth.me', {});
  const stop = bridge.follow('events.follow', {}, { item() {}, end() {} });
  expect(direct.followers('events.follow')).toBe(1);
  session.leave();
  expect(direct.followers('events.follow')).toBe(0);
  session.signedIn(makeCurrentUser('bob'));
  await waitUntilPasses(() => expect(direct.followers('events.follow')).toBe(1));
  stop();
  expect(direct.followers('events.follow')).toBe(0);
});
