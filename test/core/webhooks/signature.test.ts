import { describe, expect, it } from 'vitest';
import { verifyBearer } from '../../../core/webhooks/signature.ts';

describe('bearer token', () => {
  it('is one of the secrets, with its scheme in any case', () => {
    expect(verifyBearer('Bearer first', ['first'])).toEqual({ verified: true, by: 'bearer', secret: 0 });
    expect(verifyBearer('bearer second', ['first', 'second'])).toMatchObject({ verified: true, secret: 1 });
  });

  it.each([
    [undefined, /Missing Authorization header\./],
    ['Basic Zmlyc3Q=', /The Authorization header must have the form "Bearer <token>"\./],
    ['Bearer', /The Authorization header must have the form "Bearer <token>"\./],
    ['Bearer firs', /Invalid token for this receiver\./],
    ['Bearer first second', /The Authorization header must have the form "Bearer <token>"\./],
  ])('is rejected as %s', (header, reason) => {
    expect(verifyBearer(header, ['first'])).toMatchObject({
      reason: expect.stringMatching(reason) as string,
    });
  });
});
