import { expect, test } from 'vitest';
import { formatAnswer } from '../../../../renderer/features/webhooks/delivery-table.tsx';

test.each([
  [200, '200 OK'],
  [202, '202 Accepted'],
  [204, '204 No Content'],
  [299, '299'],
])('a response %d has its HTTP reason phrase', (statusCode, words) => {
  expect(formatAnswer({ delivered: true, status: 'OK', statusCode })).toBe(words);
});

test('shows the message of an engine error', () => {
  const status = 'invalid HTTP response: 500 Internal Server Error';
  expect(formatAnswer({ delivered: false, status, statusCode: 500 })).toBe(
    'Invalid HTTP response: 500 Internal Server Error',
  );
});
