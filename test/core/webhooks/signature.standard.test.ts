import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { standardToleranceSec, verifyStandard } from '../../../core/webhooks/signature.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const at = 1_614_265_330;
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const body = Buffer.from('{"test": 2432232314}');
const published = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

const check = (changes: Partial<{ id: string; timestamp: string; signature: string }>, now = at * 1000) =>
  verifyStandard(body, { id, timestamp: String(at), signature: published, ...changes }, [secret], now);

describe('Standard Webhooks 1.0.0', () => {
  it('verifies the published message', () => {
    expect(check({})).toEqual({ verified: true, by: 'standard', secret: 0 });
  });

  it('agrees with the reference library', () => {
    const text = '{"title":"naïve 漢字 😀"}';
    const now = Date.now();
    const theirs = new Webhook(secret).sign(id, new Date(now), text);
    const headers = { id, timestamp: String(Math.floor(now / 1000)), signature: theirs };
    expect(verifyStandard(Buffer.from(text), headers, [secret], now).verified).toBe(true);
  });

  it('accepts one of several signatures, and skips unknown versions', () => {
    expect(check({ signature: `v1a,AAAA v1,AAAA ${published}` }).verified).toBe(true);
  });

  it.each([
    [
      'a missing id',
      { id: undefined },
      /Missing header: webhook-id, webhook-timestamp and webhook-signature are required\./,
    ],
    ['a timestamp that is not a number', { timestamp: 'now' }, /not a number of seconds/],
    ['only unknown versions', { signature: 'v1a,AAAA' }, /no signature of the form/],
    [
      'another id',
      { id: 'msg_other' },
      /The signature does not match: the secret is different, or the body was modified\./,
    ],
    [
      'another timestamp within the tolerance',
      { timestamp: String(at + 1) },
      /The signature does not match: the secret is different, or the body was modified\./,
    ],
  ])('rejects %s', (_, changes, reason) => {
    expect(check(changes as Record<string, string>)).toMatchObject({
      verified: false,
      reason: expect.stringMatching(reason) as string,
    });
  });

  it('rejects messages older or newer than the tolerance', () => {
    const edge = standardToleranceSec * 1000;
    expect(check({}, at * 1000 + edge).verified).toBe(true);
    expect(check({}, at * 1000 + edge + 1)).toMatchObject({
      reason: expect.stringContaining('5 minutes too old') as string,
    });
    expect(check({}, at * 1000 - edge - 1)).toMatchObject({
      reason: expect.stringContaining('5 minutes too new') as string,
    });
  });
});
