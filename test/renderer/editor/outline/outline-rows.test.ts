import { describe, expect, it } from 'vitest';
import {
  indexRows,
  listParents,
  listRows,
  reuseRows,
} from '../../../../renderer/editor/outline/outline-rows.ts';
import { analyze } from '../../../harness/workflow-texts.ts';

const text = `steps:
  - name: first
    command: echo
  - - name: left
      command: echo
    - name: right
      command: echo
handlerOn:
  exit: rm -rf tmp
---
name: other
steps:
  - name: first
    command: echo
`;
const read = (source: string) => listRows(analyze(source, 'etl.yaml').outline);
const rowsOf = (source: string) => read(source).rows;

describe('outline rows', () => {
  it('have unique keys, even for steps with the same name', () => {
    const rows = rowsOf('steps:\n  - { name: a, command: b }\n  - { name: a, command: c }\n  - "a"\n');
    expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
    expect(rows.map(({ ref }) => ref?.name)).toEqual(['a', undefined, 'cmd_3']);
  });

  it('have groups, handlers and further workflows with their children', () => {
    const rows = rowsOf(text);
    expect(rows.map(({ kind, label }) => [kind, label])).toEqual([
      ['step', 'first'],
      ['group', 'Parallel'],
      ['handlers', 'Handlers'],
      ['document', 'other'],
    ]);
    expect(rows[1]!.children.map(({ label }) => label)).toEqual(['left', 'right']);
    expect(listParents(rows)).toHaveLength(3);
    const all = indexRows(rows);
    expect(all.get('step:left')?.ref).toEqual({ section: 'step', name: 'left' });
    expect(all.get('1/step:first')?.ref).toEqual({ section: 'step', name: 'first', document: 1 });
    expect(all.get('document:1')?.document).toBe(1);
    expect(all.size).toBe(8);
  });

  it('keep their identity if unchanged', () => {
    const before = rowsOf(text);
    expect(reuseRows(before, rowsOf(`# a comment\n${text}`))).toBe(before);
    const after = reuseRows(before, rowsOf(text.replace('name: left', 'name: west')));
    expect(after).not.toBe(before);
    expect(after[0]).toBe(before[0]);
    expect(after[1]!.children[1]).toBe(before[1]!.children[1]);
    expect(after[1]!.children[0]!.label).toBe('west');
  });

  it('keep their identity while a command is typed; their badges are updated', () => {
    const { rows, details } = read(text);
    const later = read(text.replace('exit: rm -rf tmp', 'exit: rm'));
    expect(reuseRows(rows, later.rows)).toBe(rows);
    expect(details.get('handler:exit')).toBe('rm -rf tmp');
    expect(later.details.get('handler:exit')).toBe('rm');
    expect(later.details.get('document:1')).toBe('additional workflow');
  });
});
