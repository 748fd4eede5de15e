import { expect, it } from 'vitest';
import { indentAfter } from '../../../../renderer/editor/code/code-pane.tsx';

it.each([
  ['steps:', 2],
  ['  - name: one', 4],
  ['    command: echo hi   # quick', 4],
  ['    script: |', 6],
  ['  - |', 4],
  ['  - echo hi', 2],
  ['  -', 4],
  ['    retryPolicy:  # often', 6],
  ['      limit: 3', 6],
  ['  - retryPolicy:', 6],
  ['', 0],
])('indents the line after %j by %i', (line, indent) => {
  expect(indentAfter(line, 2)).toBe(indent);
});
