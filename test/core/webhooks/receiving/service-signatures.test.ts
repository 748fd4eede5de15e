import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  signSlack,
  verifyBasic,
  verifyGitLab,
  verifyHeader,
  verifySlack,
  verifyStripe,
} from '../../../../core/webhooks/receiving/service-signatures.ts';

describe('Slack', () => {
  // The example of "Verifying requests from Slack" in the documentation of Slack.
  const secret = '8f742231b10e8888abcd99yyyzzz85a5';
  const timestamp = '1531420618';
  const at = Number(timestamp) * 1000;
  const body = Buffer.from(
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  );
  const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';

  it('signs and verifies the documented example', () => {
    expect(signSlack(body, timestamp, secret)).toBe(signature);
    expect(verifySlack(body, { signature, timestamp }, ['old', secret], at)).toEqual({
      verified: true,
      by: 'slack',
      secret: 1,
    });
  });

  it.each([
    ['another secret', { signature, timestamp }, ['other'], at],
    ['an old request', { signature, timestamp }, [secret], at + 301_000],
    ['a missing header', { signature }, [secret], at],
  ])('rejects %s', (_case, headers, secrets, now) => {
    expect(verifySlack(body, headers, secrets, now)).toMatchObject({ verified: false });
  });
});

describe('Stripe', () => {
  const [secret, at] = ['whsec_test', 1_614_265_330];
  const body = Buffer.from('{"id":"evt_1","type":"invoice.paid"}');
  const sign = (key: string): string =>
    createHmac('sha256', key).update(`${at}.${body.toString()}`).digest('hex');

  it('accepts any of several signatures, and ignores other schemes', () => {
    const header = `t=${at},v1=${sign('new')},v1=${sign(secret)},v0=${'0'.repeat(64)}`;
    expect(verifyStripe(body, header, [secret], at * 1000)).toMatchObject({ verified: true, by: 'stripe' });
  });

  it.each([
    [`t=${at},v0=${sign(secret)}`, at],
    [`t=${at},v1=${sign('other')}`, at],
    [`t=${at},v1=${sign(secret)}`, at + 301],
    [`v1=${sign(secret)}`, at],
    [undefined, at],
  ])('rejects %s', (header, now) => {
    expect(verifyStripe(body, header, [secret], now * 1000)).toMatchObject({ verified: false });
  });
});

it('compares the secret token of GitLab', () => {
  expect(verifyGitLab('token', ['token'])).toMatchObject({ verified: true, by: 'gitlab' });
  expect(verifyGitLab('tokem', ['token'])).toMatchObject({ verified: false });
  expect(verifyGitLab(undefined, ['token'])).toMatchObject({ verified: false });
});

it('verifies the example of basic authentication in RFC 7617', () => {
  const header = 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==';
  expect(verifyBasic(header, ['Aladdin:open sesame'])).toMatchObject({ verified: true, by: 'basic' });
  expect(verifyBasic(header, ['Aladdin:other'])).toMatchObject({ verified: false });
  expect(verifyBasic('Bearer x', ['Aladdin:open sesame'])).toMatchObject({ verified: false });
});

it('verifies a header with a fixed value', () => {
  const read = (name: string): string | undefined => (name === 'x-key' ? 'a:b' : undefined);
  expect(verifyHeader(read, ['X-Key: a:b'])).toMatchObject({ verified: true, by: 'header' });
  expect(verifyHeader(read, ['X-Key: b'])).toMatchObject({ verified: false });
  expect(verifyHeader(read, ['X-Other: a:b'])).toMatchObject({ verified: false });
});
