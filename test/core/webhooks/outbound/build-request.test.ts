import { describe, expect, it } from 'vitest';
import {
  encodeBody,
  isWithinSizeLimit,
  maxBodyBytes,
} from '../../../../core/webhooks/outbound/build-request.ts';

describe('body of a delivery', () => {
  const payload = { action: 'opened', text: 'a b*c/d! ü "q"' };

  it('is JSON on request', () => {
    const { bytes, contentType } = encodeBody(JSON.stringify(payload), 'json');
    expect(contentType).toBe('application/json');
    expect(JSON.parse(bytes.toString())).toEqual(payload);
  });

  it('is a form with one field, encoded as GitHub encodes it', () => {
    const { bytes, contentType } = encodeBody(JSON.stringify(payload), 'form');
    expect(contentType).toBe('application/x-www-form-urlencoded');
    expect(bytes.toString()).toBe(
      'payload=%7B%22action%22%3A%22opened%22%2C%22text%22%3A%22a+b%2Ac%2Fd%21+%C3%BC+%5C%22q%5C%22%22%7D',
    );
    expect(JSON.parse(new URLSearchParams(bytes.toString()).get('payload')!)).toEqual(payload);
  });

  it('is not sent beyond the limit, counted in encoded bytes', () => {
    const overhead = encodeBody(JSON.stringify({ text: '' }), 'json').bytes.length;
    const fill = (length: number) => ({ text: 'x'.repeat(length) });
    expect(isWithinSizeLimit(encodeBody(JSON.stringify(fill(maxBodyBytes - overhead)), 'json'))).toBe(true);
    expect(isWithinSizeLimit(encodeBody(JSON.stringify(fill(maxBodyBytes - overhead + 1)), 'json'))).toBe(
      false,
    );
    expect(
      isWithinSizeLimit(encodeBody(JSON.stringify({ text: 'ü'.repeat(maxBodyBytes / 2) }), 'json')),
    ).toBe(false);
  });
});
