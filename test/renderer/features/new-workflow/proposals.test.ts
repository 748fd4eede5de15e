import { expect, test } from 'vitest';
import { checkName, uniqueFileName } from '../../../../renderer/features/new-workflow/proposals.ts';

const taken = new Set(['sales', 'sales-2', 'x'.repeat(40)]);

test.each([
  ['', 'Enter a name.'],
  ['two words', 'Invalid character: space. Use only letters, digits, ".", "_" and "-".'],
  ['größe', 'Invalid character: "ö". Use only letters, digits, ".", "_" and "-".'],
  ['a/b', 'Invalid character: "/". Use only letters, digits, ".", "_" and "-".'],
  ['y'.repeat(43), 'Name too long: 43 characters. Maximum: 40.'],
  ['.hidden', 'A name cannot start with ".".'],
  ['sales.yaml', 'Leave out the extension ".yaml".'],
  ['sales', 'Workflow "sales" already exists. Choose another name.'],
])('rejects %j', (name, reason) => {
  expect(checkName(name, taken)).toBe(reason);
});

test.each(['a', 'Sales_2.new-1', 'y'.repeat(40)])('accepts %j', (name) => {
  expect(checkName(name, taken)).toBeUndefined();
});

test('a taken name gets the next free number, within the maximum length', () => {
  expect(uniqueFileName('other', taken)).toBe('other');
  expect(uniqueFileName('sales', taken)).toBe('sales-3');
  expect(uniqueFileName('x'.repeat(40), taken)).toBe(`${'x'.repeat(38)}-2`);
});
