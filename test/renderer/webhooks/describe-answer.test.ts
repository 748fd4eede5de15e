import { expect, test } from 'vitest';
import { describeAnswer } from '../../../renderer/features/webhooks/sent/deliveries/describe-answer.ts';

test.each([
  [200, '200 OK'],
  [202, '202 Accepted'],
  [204, '204 No Content'],
  [299, '299'],
])('an answer %d is called what HTTP calls it', (statusCode, words) => {
  expect(describeAnswer({ delivered: true, status: 'OK', statusCode })).toBe(words);
});

test('a refusal is told in the words of the engine', () => {
  const status = 'invalid HTTP response: 500 Internal Server Error';
  expect(describeAnswer({ delivered: false, status, statusCode: 500 })).toBe(
    'Invalid HTTP response: 500 Internal Server Error',
  );
});
