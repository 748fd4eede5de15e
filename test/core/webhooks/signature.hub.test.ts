import { Webhooks } from '@octokit/webhooks';
import { describe, expect, it } from 'vitest';
import { signBody, verifyHubSignature } from '../../../core/webhooks/signature.ts';

const secret = "It's a Secret to Everybody";
const body = Buffer.from('Hello, World!');
const published = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';

const check = (
  sha256: string | undefined,
  {
    sha1,
    secrets = [secret],
    allowSha1 = false,
    bytes = body,
  }: { sha1?: string; secrets?: string[]; allowSha1?: boolean; bytes?: Uint8Array } = {},
) => verifyHubSignature(bytes, { sha256, sha1 }, secrets, { allowSha1 });

describe('signing', () => {
  it('returns the published digest', () => {
    expect(signBody(body, secret)['X-Hub-Signature-256']).toBe(published);
  });

  it('returns the SHA-1 of a captured form delivery, whose body is signed as encoded', () => {
    const form = Buffer.from('payload=%7B%22zen%22%3A%22Keep+it+logically+awesome.%22%7D');
    const { 'X-Hub-Signature': sha1 } = signBody(form, 'testsecret123');
    expect(sha1).toMatch(/^sha1=[0-9a-f]{40}$/);
    expect(check(undefined, { sha1, secrets: ['testsecret123'], allowSha1: true, bytes: form })).toEqual({
      verified: true,
      by: 'sha1',
      secret: 0,
    });
  });

  it('agrees with GitHub’s library on secrets and bodies beyond ASCII', async () => {
    const text = JSON.stringify({ title: 'naïve 漢字 😀' });
    const odd = 'sécret ☂';
    const ours = signBody(Buffer.from(text), odd)['X-Hub-Signature-256'];
    const peer = new Webhooks({ secret: odd });
    expect(ours).toBe(await peer.sign(text));
    expect(await peer.verify(text, ours)).toBe(true);
  });
});

describe('verifying', () => {
  it('accepts the right signature, in either case of the hex digits', () => {
    expect(check(published)).toEqual({ verified: true, by: 'sha256', secret: 0 });
    expect(check(`sha256=${published.slice(7).toUpperCase()}`).verified).toBe(true);
  });

  it('accepts the second secret during a rotation, and reports which it was', () => {
    expect(check(published, { secrets: ['new', secret] })).toEqual({
      verified: true,
      by: 'sha256',
      secret: 1,
    });
  });

  it.each([
    [
      'another secret',
      published,
      { secrets: ['other'] },
      /The signature does not match: the secret is different, or the body was modified\./,
    ],
    [
      'one byte more',
      published,
      { bytes: Buffer.from('Hello, World!\n') },
      /The signature does not match: the secret is different, or the body was modified\./,
    ],
    [
      'no secret at all',
      published,
      { secrets: [] },
      /The signature does not match: the secret is different, or the body was modified\./,
    ],
    ['a short digest', 'sha256=7571', {}, /The signature must have the form sha256=<64 hex digits>\./],
    [
      'invalid hex',
      `sha256=${'z'.repeat(64)}`,
      {},
      /The signature must have the form sha256=<64 hex digits>\./,
    ],
    [
      'another algorithm in the header',
      published.replace('sha256', 'sha512'),
      {},
      /The signature must have the form sha256=<64 hex digits>\./,
    ],
    ['an empty header', '', {}, /The signature must have the form sha256=<64 hex digits>\./],
    [
      'no header',
      undefined,
      {},
      /Missing X-Hub-Signature-256 header: the sender has no secret, or a proxy removed the header\./,
    ],
  ])('rejects %s', (_, header, options, reason) => {
    expect(check(header, options)).toEqual({
      verified: false,
      reason: expect.stringMatching(reason) as string,
    });
  });

  it('accepts SHA-1 only if configured, and never next to a wrong SHA-256', () => {
    const sha1 = signBody(body, secret)['X-Hub-Signature'];
    expect(check(undefined, { sha1 })).toMatchObject({
      verified: false,
      reason: expect.stringContaining('allowSha1') as string,
    });
    expect(check(undefined, { sha1, allowSha1: true })).toEqual({ verified: true, by: 'sha1', secret: 0 });
    expect(check(`sha256=${'0'.repeat(64)}`, { sha1, allowSha1: true }).verified).toBe(false);
  });
});
