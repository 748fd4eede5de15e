import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  verifyBearer,
  signBody,
  verifyHubSignature,
  verifyStandard,
  type VerificationResult,
} from '../../../core/webhooks/signature.ts';
import {
  signSlack,
  signStripe,
  verifyBasic,
  verifyGitLab,
  verifySlack,
  verifyStripe,
} from '../../../core/webhooks/receiving/service-signatures.ts';

const secrets = ['first', 'second', 'third'];
const body = Buffer.from('{"a":1}');
const at = 1_614_265_330;
const id = 'msg_1';

/** According to Standard Webhooks 1.0.0; the reference library rejects all of these short secrets. */
const signStandard = (secret: string): string =>
  `v1,${crypto.createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${at}.`).update(body).digest('base64')}`;

/** Verifies a proof of each kind that was created with this secret. */
const schemes: Readonly<Record<string, (secret: string) => VerificationResult>> = {
  sha256: (secret) =>
    verifyHubSignature(
      body,
      { sha256: signBody(body, secret)['X-Hub-Signature-256'], sha1: undefined },
      secrets,
      { allowSha1: false },
    ),
  sha1: (secret) =>
    verifyHubSignature(
      body,
      { sha256: undefined, sha1: signBody(body, secret)['X-Hub-Signature'] },
      secrets,
      { allowSha1: true },
    ),
  standard: (secret) =>
    verifyStandard(body, { id, timestamp: String(at), signature: signStandard(secret) }, secrets, at * 1000),
  bearer: (secret) => verifyBearer(`Bearer ${secret}`, secrets),
  slack: (secret) =>
    verifySlack(
      body,
      { timestamp: String(at), signature: signSlack(body, String(at), secret) },
      secrets,
      at * 1000,
    ),
  stripe: (secret) =>
    verifyStripe(body, `t=${at},v1=${signStripe(body, String(at), secret)}`, secrets, at * 1000),
  gitlab: (secret) => verifyGitLab(secret, secrets),
  basic: (secret) => verifyBasic(`Basic ${Buffer.from(secret).toString('base64')}`, secrets),
};

/** What was compared in constant time. */
const compared: boolean[] = [];
const real = crypto.timingSafeEqual;

beforeEach(() => {
  compared.length = 0;
  crypto.timingSafeEqual = (left, right) => {
    const isEqual = real(left, right);
    compared.push(isEqual);
    return isEqual;
  };
  syncBuiltinESMExports();
});

afterEach(() => {
  crypto.timingSafeEqual = real;
  syncBuiltinESMExports();
});

describe.each(Object.entries(schemes))('%s', (_scheme, verify) => {
  it.each([...secrets, 'fourth'])(
    'compares every proof of a webhook in constant time, whether it matches or not: %s',
    (secret) => {
      expect(verify(secret).verified).toBe(secrets.includes(secret));
      expect(compared).toEqual(secrets.map((one) => one === secret));
    },
  );
});
