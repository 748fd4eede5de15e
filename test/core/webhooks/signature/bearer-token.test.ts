import { describe, expect, it } from 'vitest';
import { verifyBearer } from '../../../../core/webhooks/signature/bearer-token.ts';

describe('a bearer token', () => {
  it('is one of the secrets, whatever the case of its scheme', () => {
    expect(verifyBearer('Bearer first', ['first'])).toEqual({ verified: true, by: 'bearer', secret: 0 });
    expect(verifyBearer('bearer second', ['first', 'second'])).toMatchObject({ verified: true, secret: 1 });
  });

  it.each([
    [undefined, /no Authorization header/],
    ['Basic Zmlyc3Q=', /not of the form/],
    ['Bearer', /not of the form/],
    ['Bearer firs', /not the one/],
    ['Bearer first second', /not of the form/],
  ])('is refused as %s', (header, reason) => {
    expect(verifyBearer(header, ['first'])).toMatchObject({
      reason: expect.stringMatching(reason) as string,
    });
  });
});
