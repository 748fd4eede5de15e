import { describe, expect, it } from 'vitest';
import type { FailPointName } from '../../core/base/fail-points.ts';
import { getHeader, startMailServer } from '../harness/servers/mail-server.ts';
import { makeTestHome, runEngine, runForJson, saveDag } from '../harness/home-and-command.ts';

const yaml = (port: number): string => `
mailOn: { failure: true }
smtp: { host: 127.0.0.1, port: ${port} }
errorMail: { from: etl@example.com, to: ops@example.com }
steps:
  - { name: bad, command: exit 3, mailOnError: true, continueOn: { failure: true } }
  - { name: after, command: echo after }
`;

/** Subjects of the mails of a run whose engine is killed at a fault point and that is recovered. */
async function mailsOf(point: FailPointName, times: number) {
  const server = await startMailServer();
  const place = makeTestHome();
  saveDag(place, 'etl', yaml(server.port));
  const killed = await runEngine(place, ['start', 'etl', '-q'], {
    ENGINE_FAILPOINT: `${point}@${times}:kill`,
  });
  expect(killed.signal).toBe('SIGKILL');
  expect((await runEngine(place, ['recover', '-q'])).code).toBe(0);
  const { json } = await runForJson(place, ['status', 'etl']);
  expect(json.status).toBe('partially_succeeded');
  return server.mails.map((mail) => getHeader(mail, 'subject'));
}

const both = ['etl: bad (failed)', 'etl (partially_succeeded)'];

describe('mails of a run whose engine is killed', () => {
  it.each<[FailPointName, number]>([
    ['step.ended', 1],
    ['step.ended', 2],
    ['run.before_closing', 1],
    ['mail.sent', 1],
    ['mail.sent', 2],
    ['run.before_finish', 1],
  ])('are sent once each when killed at %s, time %i', async (point, times) => {
    expect(await mailsOf(point, times)).toEqual(both);
  });

  it('are not sent twice when killed during delivery', async () => {
    expect(await mailsOf('mail.before_send', 1)).toEqual(both.slice(1));
  });
});
