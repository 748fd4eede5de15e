import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeBody } from '../../../core/http/json-bodies.ts';
import { signBody } from '../../../core/webhooks/signature.ts';
import { openReceiverHarness, secret, type ReceiverReply } from '../webhooks/webhook-harness.ts';

const text = JSON.stringify({ ref: 'refs/heads/größe', commits: [] });

/** A receiver, and a sender that signs the bytes as sent. */
async function openEncodedHarness(settings: { maxBodyBytes?: number } = {}) {
  const harness = await openReceiverHarness();
  const receiver = await harness.create(settings);
  const post = (body: Buffer, headers: Record<string, string>): Promise<ReceiverReply> =>
    harness.post(receiver.path, body, {
      'content-type': 'application/json',
      'x-hub-signature-256': signBody(body, secret)['X-Hub-Signature-256'],
      ...headers,
    });
  const newest = async () => {
    const [{ id } = { id: '' }] = await harness.deliveries(receiver);
    return harness.api.call('receivers.delivery', { receiverId: receiver.id, id }, harness.caller);
  };
  return { harness, receiver, post, newest };
}

describe('compressed delivery', () => {
  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (bytes: Buffer) => bytes],
  ])('is accepted with Content-Encoding %s, and shown decompressed', async (encoding, encode) => {
    const { post, newest } = await openEncodedHarness();
    const reply = await post(encode(Buffer.from(text)), { 'content-encoding': encoding });
    expect(reply.status).toBe(202);
    const kept = await newest();
    expect(kept).toMatchObject({ verified: true, proof: 'sha256', body: text, isCut: false });
    expect(kept.bytes).toBe(Buffer.byteLength(text));
    expect(kept.headers['content-encoding']).toBe(encoding);
  });

  it('can be a form, and can be replayed from the stored body', async () => {
    const { harness, receiver, post } = await openEncodedHarness();
    const form = gzipSync(new URLSearchParams({ payload: text }).toString());
    const sent = { 'content-encoding': 'gzip', 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post(form, sent)).status).toBe(202);
    const again = await harness.api.call(
      'receivers.replay',
      { receiverId: receiver.id, id: '1' },
      harness.caller,
    );
    expect(again).toMatchObject({ status: 'accepted', replayOf: '1' });
  });

  it('is verified before it is decoded: the signature covers the compressed bytes', async () => {
    const { harness, receiver, post, newest } = await openEncodedHarness();
    const { 'X-Hub-Signature-256': ofText } = signBody(Buffer.from(text), secret);
    const body = gzipSync(text);
    const reply = await post(body, { 'content-encoding': 'gzip', 'x-hub-signature-256': ofText });
    expect(reply.status).toBe(401);
    // Nor is a bomb from a sender without the secret.
    const bomb = gzipSync(Buffer.alloc(30 * 1024 * 1024));
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
    expect((await harness.post(receiver.path, bomb, headers)).status).toBe(401);
    expect(await newest()).toMatchObject({ verified: false, bytes: bomb.length });
  });

  it.each([
    [
      'invalid gzip',
      Buffer.from(text),
      'gzip',
      400,
      /The request body does not match its Content-Encoding "gzip": incorrect header check\./,
    ],
    ['a truncated body', gzipSync(text).subarray(0, 30), 'gzip', 400, /unexpected end of file/],
    [
      'an unknown encoding',
      Buffer.from(text),
      'zstd',
      415,
      /Unsupported Content-Encoding "zstd"\. Use no encoding, or one of gzip, deflate, br\./,
    ],
    ['two encodings', gzipSync(gzipSync(text)), 'gzip, gzip', 415, /"gzip, gzip"/],
    ['a body over the limit', gzipSync(`{"a":"${'x'.repeat(5000)}"}`), 'gzip', 413, /limit of 1000 bytes/],
    ['a bomb', gzipSync(Buffer.alloc(100_000)), 'gzip', 413, /limit of 1000 bytes/],
  ])('is rejected and stored with the reason: %s', async (_, body, encoding, status, reason) => {
    const { post, newest } = await openEncodedHarness({ maxBodyBytes: 1000 });
    const reply = await post(body, { 'content-encoding': encoding });
    expect(reply.status).toBe(status);
    expect(reply.body.message).toMatch(reason);
    expect(await newest()).toMatchObject({
      verified: true,
      status: 'refused',
      reason: reply.body.message,
      bytes: body.length,
    });
  });
});

describe('decoding', () => {
  it('stops at the limit, however much would follow', async () => {
    const megabyte = gzipSync(Buffer.alloc(1024 * 1024));
    // Two gigabytes of zeros in two megabytes.
    const bomb = Buffer.concat(Array.from({ length: 2048 }, () => megabyte));
    const before = process.resourceUsage().maxRSS;
    await expect(decodeBody(bomb, 'gzip', 1024 * 1024)).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(200 * 1024);
  });
});
