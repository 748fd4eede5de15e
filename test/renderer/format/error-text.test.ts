import { expect, test } from 'vitest';
import { AppError, fieldError } from '../../../core/base/errors.ts';
import { readFieldErrors, errorText } from '../../../renderer/format/error-text.ts';

test.each([
  [fieldError('dagRunId', 'use 1 to 64 letters'), 'Run ID: use 1 to 64 letters'],
  [fieldError('url', '"x" is no address'), 'URL: "x" is no address'],
  [fieldError('note', 'is too long'), 'note: is too long'],
  [new Error('constructor: of nothing'), 'constructor: of nothing'],
  [new Error('It is locked.'), 'It is locked.'],
])('an error names the field as the form does: %s', (error, text) => {
  expect(errorText(error)).toBe(text);
});

test('errors of single fields are parsed, in either notation', () => {
  expect(readFieldErrors(fieldError('secrets.0', 'is empty; fill it in'))).toEqual([
    { field: 'secrets.0', problem: 'Is empty; fill it in' },
  ]);
  const taken = new AppError('already_exists', 'There is one already.', { details: { field: 'name' } });
  expect(readFieldErrors(taken)).toEqual([{ field: 'name', problem: 'There is one already.' }]);
  const errors = [
    { resource: 'Hook', field: 'url', code: 'invalid', message: 'It is none.' },
    { resource: 'Hook', field: 'owner', code: 'invalid', message: 'It is long.' },
  ];
  const both = new AppError('validation_failed', 'url: It is none. owner: It is long.', {
    details: { errors },
  });
  expect(readFieldErrors(both)).toEqual([
    { field: 'url', problem: 'It is none.' },
    { field: 'owner', problem: 'It is long.' },
  ]);
  for (const other of [
    new Error('It is locked.'),
    new AppError('forbidden', 'No.', { details: { errors: 'x' } }),
  ])
    expect(readFieldErrors(other)).toEqual([]);
});
