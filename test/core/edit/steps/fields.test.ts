import { describe, expect, it } from 'vitest';
import {
  setStepField,
  setWorkflowField,
  removeHandler,
  setHandler,
} from '../../../../core/edit/steps/set-step-field.ts';
import { renameStep, setId } from '../../../../core/edit/steps/rename-step.ts';
import { edit, refusal, step, dependenciesByName } from '../../../harness/workflow-texts.ts';

const references = `type: graph
params: "FILE=\${ld.stdout}"
env:
  - OUT: \${ld.stdout}
  - QUOTED: "\${ld.exitCode:-none}"
steps:
  - name: load # the source
    id: ld
    command: make
  - name: report
    description: tells \${ld.stdout}
    depends: [ld, "load"]
    command: |
      # \${ld.stdout}
      cat "\${ld.stdout}" '\${ld.stdout}' \${ld.other} \${ldx.stdout} $ld.stderr
  - name: other
    depends: 'load'
    shell: python3
    script: print("\${ld.stdout}")
handlerOn:
  exit:
    command: cat \${ld.stderr}
---
name: sub
steps:
  - name: load
    id: ld
    command: cat \${ld.stdout}
`;

describe('renameStep', () => {
  it('changes the name and its dependents, nothing else', () => {
    const after = edit(references, (e) => renameStep(e, step('load'), 'read it'));
    expect(after).toBe(
      references
        .replace('name: load #', 'name: read it #')
        .replace('"load"', '"read it"')
        .replace("'load'", "'read it'"),
    );
    expect(dependenciesByName(after)).toEqual({ 'read it': [], report: ['read it'], other: ['read it'] });
  });

  it('names unnamed steps, changes map keys, follows anchors', () => {
    expect(
      edit('type: graph\nsteps:\n  - |\n    one\n    two\n  - command: b\n    depends: script_1\n', (e) =>
        renameStep(e, step('script_1'), 'x'),
      ),
    ).toBe(
      'type: graph\nsteps:\n  - name: x\n    command: |\n      one\n      two\n  - command: b\n    depends: x\n',
    );
    expect(
      edit('type: graph\nsteps:\n  a: x\n  b: {command: y, depends: [a]}\n', (e) =>
        renameStep(e, step('a'), 'c: d'),
      ),
    ).toBe('type: graph\nsteps:\n  "c: d": x\n  b: {command: y, depends: ["c: d"]}\n');
    const shared =
      'type: graph\nsteps:\n  - name: &n a\n    command: x\n  - name: b\n    command: y\n    depends: *n\n';
    expect(edit(shared, (e) => renameStep(e, step('a'), 'z'))).toBe(shared.replace('&n a', '&n z'));
    expect(edit('steps:\r\n  - a\r\n', (e) => renameStep(e, step('cmd_1'), 'x'))).toBe(
      'steps:\r\n  - name: x\r\n    command: a\r\n',
    );
  });

  it('says why not', () => {
    expect(refusal(references, (e) => renameStep(e, step('load'), 'other'))).toMatch(
      /Step name "other" already exists\. Choose another name\./,
    );
    expect(refusal(references, (e) => renameStep(e, step('other'), 'ld'))).toMatch(/is the id/);
    expect(refusal(references, (e) => renameStep(e, step('load'), 'a\nb'))).toMatch(/single line/);
    expect(refusal(references, (e) => renameStep(e, step('nobody'), 'x'))).toMatch(/no longer exists/);
  });
});

describe('setId', () => {
  it('changes all real references and no lookalikes', () => {
    expect(edit(references, (e) => setId(e, step('load'), 'src'))).toBe(
      references
        .replace('FILE=${ld.stdout}', 'FILE=${src.stdout}')
        .replace('OUT: ${ld.', 'OUT: ${src.')
        .replace('${ld.exitCode', '${src.exitCode')
        .replace('id: ld', 'id: src')
        .replace('[ld,', '[src,')
        .replace('cat "${ld.', 'cat "${src.')
        .replace('$ld.stderr', '$src.stderr')
        .replace('cat ${ld.stderr}', 'cat ${src.stderr}'),
    );
  });

  it('adds and removes an id', () => {
    expect(edit('steps:\n  - a\n', (e) => setId(e, step('cmd_1'), 'x'))).toBe(
      'steps:\n  - command: a\n    id: x\n',
    );
    const without = edit(references, (e) => setId(e, step('load'), undefined));
    expect(dependenciesByName(without)).toEqual(dependenciesByName(references));
    expect(without).toContain('depends: [load, "load"]');
    expect(refusal(references, (e) => setId(e, step('other'), 'ld'))).toMatch(/already/);
    expect(refusal(references, (e) => setId(e, step('other'), 'env'))).toMatch(/reserved/);
    expect(refusal(references, (e) => setId(e, step('other'), '1a'))).toMatch(/letter/);
  });
});

describe('setStepField', () => {
  const set = (
    text: string,
    name: string,
    field: (string | number)[],
    value: string | number | object | undefined,
  ): string => edit(text, (e) => setStepField(e, step(name), { field, value: value as string }));

  it('turns a string into a map when necessary', () => {
    expect(set('steps:\n  - echo a # hi\n', 'cmd_1', ['command'], 'echo b')).toBe(
      'steps:\n  - echo b # hi\n',
    );
    expect(set('steps:\n  - echo a # hi\n', 'cmd_1', ['dir'], 'x')).toBe(
      'steps:\n  - command: echo a # hi\n    dir: x\n',
    );
    expect(set('steps: [a, [b, c]]\n', 'cmd_2', ['retryPolicy', 'limit'], 3)).toMatch(
      /^steps: \[a, \[\{ ?command: b, retryPolicy: \{ ?limit: 3 ?\} ?\}, c\]\]\n$/,
    );
    expect(set('steps:\n  a: |\n    x\n    y\n', 'a', ['dir'], 'd')).toBe(
      'steps:\n  a:\n    command: |\n      x\n      y\n    dir: d\n',
    );
  });

  it('finds fields under the spelling of their author', () => {
    const text =
      'steps:\n  - name: a\n    command: x\n    working_dir: old\n    retry_policy: {limit: 1, interval_sec: 2}\n';
    expect(set(text, 'a', ['dir'], 'new')).toBe(text.replace('old', 'new'));
    expect(set(text, 'a', ['retryPolicy', 'intervalSec'], 5)).toBe(text.replace('sec: 2', 'sec: 5'));
    expect(set(text, 'a', ['dir'], undefined)).toBe(text.replace('    working_dir: old\n', ''));
    expect(set(text, 'a', ['name'], 'b')).toBe(text.replace('name: a', 'name: b'));
  });

  it('keeps the name of a step that others depend on when its type changes', () => {
    const text = 'type: graph\nsteps:\n  - command: a\n  - command: b\n    depends: cmd_1\n';
    expect(dependenciesByName(set(text, 'cmd_1', ['command'], 'one\ntwo\n'))).toEqual({
      cmd_1: [],
      cmd_2: ['cmd_1'],
    });
  });

  it('sets fields of handlers and of the workflow', () => {
    const text = '# top\nsteps:\n  - a\nhandler_on:\n  exit: echo bye\n';
    expect(
      edit(text, (e) =>
        setStepField(e, { section: 'handler', name: 'exit' }, { field: ['dir'], value: 'x' }),
      ),
    ).toBe('# top\nsteps:\n  - a\nhandler_on:\n  exit:\n    command: echo bye\n    dir: x\n');
    expect(edit(text, (e) => setWorkflowField(e, ['schedule', 'start'], ['0 1 * * *']))).toBe(
      text.replace('steps:', 'schedule:\n  start:\n    - 0 1 * * *\nsteps:'),
    );
    expect(edit('TimeOut: 5\nsteps: [a]\n', (e) => setWorkflowField(e, ['timeout'], 6))).toBe(
      'TimeOut: 6\nsteps: [a]\n',
    );
    expect(edit('steps: [a]\ntimeout: 5\n', (e) => setWorkflowField(e, ['timeout'], undefined))).toBe(
      'steps: [a]\n',
    );
  });

  it('sets and removes handlers', () => {
    const text = 'steps:\n  - a\n';
    const one = edit(text, (e) => setHandler(e, 'failure', './report.sh'));
    expect(one).toBe('steps:\n  - a\nhandlerOn:\n  failure: ./report.sh\n');
    const two = edit(one, (e) => setHandler(e, 'exit', { command: 'rm x', dir: '/tmp' }));
    expect(two).toBe(`${one}  exit:\n    command: rm x\n    dir: /tmp\n`);
    expect(edit(two, (e) => removeHandler(e, 'exit'))).toBe(one);
    expect(edit(one, (e) => removeHandler(e, 'failure'))).toBe(text);
    expect(refusal(text, (e) => setHandler(e, 'never', 'x'))).toMatch(
      /Unknown handler "never"\. Valid handlers: init, success, failure, abort, exit\./,
    );
  });
});
