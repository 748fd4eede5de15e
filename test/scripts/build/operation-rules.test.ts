import { Guard } from 'typebox/guard';
import { Hashing } from 'typebox/system';
import { expect, test } from 'vitest';
import { operationRules, type OperationRule } from '../../../core/api/operation-rules.ts';
import { formatOperationRules } from '../../../scripts/build/operation-rules.ts';

const source = formatOperationRules().replaceAll(/^import .*\n/gm, '');
// A data URL has no packages: the code finds them as globals.
Object.assign(globalThis, { Guard, Hashing });
const { operationRules: compiled } = (await import(
  `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`
)) as { readonly operationRules: Readonly<Record<string, OperationRule>> };

test('the built rules have the role, label and audit target of every operation and stream', () => {
  expect(Object.keys(compiled)).toEqual(Object.keys(operationRules));
  for (const [name, { role, label, audit, public: isPublic }] of Object.entries(compiled)) {
    const rule = operationRules[name]!;
    expect([name, role, label, audit, isPublic]).toEqual([
      name,
      rule.role,
      rule.label,
      rule.audit,
      rule.public,
    ]);
  }
});

test.each([
  ['runs.get', { name: 'etl', dagRunId: 'r1' }, true],
  ['runs.get', { name: 'e t l', dagRunId: 'r1' }, false],
  ['runs.get', { name: 'etl' }, false],
  ['runs.list', { limit: 10 }, true],
  ['runs.list', { limit: '10' }, false],
  ['runs.list', { surprise: 1 }, false],
  ['webhooks.create', { url: 'https://example.com', options: { jitter: 0.5 } }, true],
  ['webhooks.create', { url: 'https://example.com', options: { jitters: 0.5 } }, false],
])('the built schema of %s accepts %j: %s', (name, input, isValid) => {
  expect([compiled[name]!.accepts(input), operationRules[name]!.accepts(input)]).toEqual([isValid, isValid]);
});
