import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { SupervisorLink } from '../../../../core/process/supervisor/supervisor-link.ts';
import { FakeClock } from '../../../harness/fakes.ts';

function openLink() {
  const clock = new FakeClock();
  const channel = new Duplex({ read() {}, write: (_bytes, _encoding, done) => done() });
  const process = { pid: 1, channel: Object.assign(channel, { ref() {}, unref() {} }) };
  let losses = 0;
  const link = new SupervisorLink(process, { onLost: () => (losses += 1) }, clock);
  return { clock, channel, link, countLosses: () => losses };
}

const command = { type: 'pipe', paths: [] } as unknown as Parameters<SupervisorLink['send']>[0];

it('reports a command for an exited supervisor as lost', async () => {
  const { clock, channel, link } = openLink();
  channel.destroy();
  await new Promise((resolve) => channel.once('close', resolve));
  expect(link.isLost).toBe(true);
  await new Promise<void>((onDisconnect) => link.send(command, { onEvent() {}, onDisconnect }));
  expect(clock.pending).toBe(0);
});

it('abandons a supervisor that does not respond, and does not wait for one that has exited', async () => {
  const silent = openLink();
  silent.link.challenge();
  silent.clock.advance(60_000);
  await new Promise((resolve) => silent.channel.once('close', resolve));
  expect(silent.link.wasGivenUp).toBe(true);
  expect(silent.countLosses()).toBe(1);

  const closed = openLink();
  closed.link.challenge();
  expect(closed.clock.pending).toBe(1);
  closed.link.close();
  expect(closed.clock.pending).toBe(0);
});
