import { expect, test } from 'vitest';
import { checkName, chooseFreeName } from '../../../renderer/features/new-workflow/check-name.ts';

const taken = new Set(['sales', 'sales-2', 'x'.repeat(40)]);

test.each([
  ['', 'Give the workflow a name.'],
  ['two words', 'A space cannot be in a name: letters A-Z, digits, "_", "." and "-" can.'],
  ['größe', '"ö" cannot be in a name: letters A-Z, digits, "_", "." and "-" can.'],
  ['a/b', '"/" cannot be in a name: letters A-Z, digits, "_", "." and "-" can.'],
  ['y'.repeat(43), 'A name has at most 40 characters; this one has 43.'],
  ['.hidden', 'A file whose name begins with "." would be hidden. Begin with something else.'],
  ['sales.yaml', 'The file gets its ending ".yaml" by itself. Leave it out.'],
  ['sales', 'Workflow "sales" already exists. Choose another name.'],
])('%j is refused', (name, reason) => {
  expect(checkName(name, taken)).toBe(reason);
});

test.each(['a', 'Sales_2.new-1', 'y'.repeat(40)])('%j is a name', (name) => {
  expect(checkName(name, taken)).toBeUndefined();
});

test('a taken name gets the next free number, and stays short enough', () => {
  expect(chooseFreeName('other', taken)).toBe('other');
  expect(chooseFreeName('sales', taken)).toBe('sales-3');
  expect(chooseFreeName('x'.repeat(40), taken)).toBe(`${'x'.repeat(38)}-2`);
});
