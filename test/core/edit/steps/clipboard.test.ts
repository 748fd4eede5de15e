import { describe, expect, it } from 'vitest';
import { copySteps } from '../../../../core/edit/steps/copy-steps.ts';
import { duplicateSteps, pasteSteps } from '../../../../core/edit/steps/paste-steps.ts';
import { readEditable } from '../../../../core/edit/yaml/editable-text.ts';
import { edit, refusal, step, dependenciesByName } from '../../../harness/workflow-texts.ts';

const text = `type: graph
steps:
  - name: a
    command: x
  # about b
  - &b
    name: b
    id: bee
    command: |
      cat "\${bee.stdout}"
    depends: a # why
  - { name: c, command: z, depends: [b], env: *e }
`.replace('type: graph', 'type: graph\nenv: &e\n  - A: 1');

function copied(from: string, ...names: string[]): string {
  const result = copySteps(readEditable(from), names.map(step));
  if (!result.ok) throw new Error(result.reason);
  return result.text;
}

describe('copySteps', () => {
  it('returns a self-contained list of steps', () => {
    expect(copied(text, 'c', 'b')).toBe(
      `# about b
- 
  name: b
  id: bee
  command: |
    cat "\${bee.stdout}"
  depends: a # why
- { name: c, command: z, depends: [b], env: [ { A: 1 } ] }
`.replace('- \n  name', '- name'),
    );
    expect(copied('steps:\n  a: make\n  b:\n    command: x\n', 'a', 'b')).toBe(
      '- name: a\n  command: make\n- name: b\n  command: x\n',
    );
    expect(copied('type: graph\nsteps: [x, {command: y, depends: cmd_1}]', 'cmd_1', 'cmd_2')).toBe(
      '- { name: cmd_1, command: x }\n- {command: y, depends: cmd_1}\n',
    );
  });
});

describe('duplicateSteps', () => {
  it('copies steps and the dependencies among them', () => {
    const after = edit(text, (e) => duplicateSteps(e, [step('a'), step('b')]));
    expect(dependenciesByName(after)).toEqual({ a: [], b: ['a'], a_2: [], b_2: ['a_2'], c: ['b'] });
    expect(after).toContain('    id: bee_2\n    command: |\n      cat "${bee_2.stdout}"\n');
    expect(after.startsWith(text.slice(0, text.indexOf('  - { name: c')))).toBe(true);
    expect(dependenciesByName(edit(text, (e) => duplicateSteps(e, [step('b')])))).toEqual({
      a: [],
      b: ['a'],
      b_2: ['a'],
      c: ['b'],
    });
    expect(edit('steps:\r\n  a:\r\n    command: x\r\n', (e) => duplicateSteps(e, [step('a')]))).toBe(
      'steps:\r\n  a:\r\n    command: x\r\n  a_2:\r\n    command: x\r\n',
    );
    expect(edit('steps: [a, b]', (e) => duplicateSteps(e, [step('cmd_1')]))).toBe('steps: [a, a, b]');
  });
});

describe('pasteSteps', () => {
  it('accepts lists, a step, maps of steps and workflows', () => {
    const target = 'type: graph\nsteps:\n  - name: x\n    command: one\n';
    const paste = (clip: string): string => edit(target, (e) => pasteSteps(e, clip));
    expect(
      paste('- echo a\n- name: x\n  command: two\n- name: y\n  command: b\n  depends: [x, gone]\n'),
    ).toBe(
      `${target}  - echo a\n  - name: x_2\n    command: two\n  - name: y\n    command: b\n    depends: [x_2]\n`,
    );
    expect(paste('name: x\ncommand: two\n')).toBe(`${target}  - name: x_2\n    command: two\n`);
    expect(paste('p: {command: a}\nq:\n  command: b\n  depends: p\n')).toBe(
      `${target}  - {name: p, command: a}\n  - name: q\n    command: b\n    depends: p\n`,
    );
    expect(dependenciesByName(paste('name: other\nsteps:\n  - a\n  - [b, c]\n'))).toEqual({
      x: [],
      cmd_1: [],
      cmd_3: ['cmd_1'],
      cmd_4: ['cmd_1'],
    });
    expect(edit('steps:\n  p: a\n', (e) => pasteSteps(e, '- name: p\n  command: b\n- c\n'))).toBe(
      'steps:\n  p: a\n  p_2:\n    command: b\n  cmd_2:\n    command: c\n',
    );
    expect(dependenciesByName(edit('', (e) => pasteSteps(e, '- name: p\n  command: b\n')))).toEqual({
      p: [],
    });
  });

  it('reports missing dependencies', () => {
    const clip =
      '- name: y\n  command: b\n  depends: [a, gone, lost]\n- name: z\n  command: c\n  depends: gone\n';
    const result = pasteSteps(readEditable(text), clip);
    expect(result).toMatchObject({ ok: true, lost: ['gone', 'lost'] });
    expect(pasteSteps(readEditable(text), '- name: y\n  command: b\n  depends: a\n')).not.toHaveProperty(
      'lost',
    );
  });

  it('says why text is rejected', () => {
    for (const clip of ['echo hello', '', 'a: 1\nb: 2\n', '- [1, 2]\n', 'steps: [', '- 7\n'])
      expect(
        refusal(text, (e) => pasteSteps(e, clip)),
        `from ${clip}`,
      ).toMatch(
        /The clipboard contains no steps\. Copy a step, a list of steps or a workflow as YAML\.|Invalid YAML: /,
      );
  });
});
