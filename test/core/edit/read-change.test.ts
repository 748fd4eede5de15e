import { describe, expect, it } from 'vitest';
import { readChange, type StepChange } from '../../../core/edit/step-change.ts';
import { readEditable } from '../../../core/edit/yaml/editable-text.ts';
import { analyze } from '../../harness/workflow-texts.ts';

const text = `type: graph
env: [A: 1]
steps:
  - name: fetch
    id: first
    command: echo fetch   # quickly
    retry_policy: { limit: 2, intervalSec: 1 }
  - command: echo plain
  - name: build
    depends:
      - fetch
      - cmd_2
    command: echo build
  - [echo left, echo right]
  - name: report
    depends: [build]
    command: echo report
handlerOn:
  exit: echo done
---
name: other
steps: [echo other]
`;

function change(before: string, after: string, whole = text): StepChange | undefined {
  const { workflows, outline } = analyze(whole, 'etl.yaml');
  expect(workflows).toHaveLength(2);
  return readChange(
    readEditable(whole),
    { workflows, outline },
    readEditable(whole.replace(before, after)),
    'etl.yaml',
  );
}

describe('an edit within one step', () => {
  it('is parsed from that step alone, with the same result as among the others', () => {
    const found = change('echo build', 'echo built');
    const { workflows, outline } = analyze(text.replace('echo build', 'echo built'), 'etl.yaml');
    expect(found).toMatchObject({ workflow: 0, position: 2, by: 0 });
    expect(found!.step).toEqual(workflows[0]!.steps[2]);
    expect(found!.outline).toEqual(outline.documents[0]!.steps[2]);
  });

  it('reports how far later text has moved', () => {
    const found = change('echo plain', 'echo not so plain');
    const { outline } = analyze(text.replace('echo plain', 'echo not so plain'), 'etl.yaml');
    expect(found).toMatchObject({ position: 1, by: 7, step: { name: 'cmd_2' } });
    expect(found!.documents[0]!.handlers).toEqual(outline.documents[0]!.handlers);
    expect(found!.documents.map(({ from, to }) => [from, to])).toEqual(
      outline.documents.map(({ from, to }) => [from, to]),
    );
  });

  it('can leave a warning unchanged', () => {
    expect(change('echo fetch', 'echo fetched')).toMatchObject({ position: 0 });
  });

  it.each([
    ['a name', 'name: build', 'name: built'],
    ['an id', 'id: first', 'id: primary'],
    ['dependencies', 'depends: [build]', 'depends: []'],
    ['dependencies written the same way', '      - fetch', '       - fetch'],
    ['a type that names the step', 'command: echo plain', 'script: echo plain'],
    ['an output', 'command: echo build', 'command: echo build\n    output: R'],
    ['a reference to an output', 'command: echo build', "command: echo '${R.key}'"],
    ['an anchor', 'command: echo build', 'command: &b echo build'],
    ['an error', 'command: echo build', 'comand: echo build'],
    ['a warning', 'limit: 2', 'Limit: 2'],
    ['a warning elsewhere', '    retry_policy: { l', '     retry_policy: { l'],
    ['invalid YAML', 'command: echo build', 'command: "echo build'],
    ['a step of a group', 'echo left', 'echo far left'],
    ['the last step', 'echo report', 'echo reports'],
    ['another line', 'echo build', 'echo build\n    dir: /tmp'],
    ['something outside of the steps', 'A: 1', 'A: 2'],
    ['two steps', 'echo build\n  - [echo left', 'echo built\n  - [echo far left'],
  ])('needs a full analysis when it changes %s', (_what, before, after) => {
    expect(text).toContain(before);
    expect(change(before, after)).toBeUndefined();
  });

  it('needs a full analysis when an anchor ties the step to others', () => {
    const tied = text
      .replace('command: echo fetch ', 'command: &c echo fetch ')
      .replace('command: echo build', 'command: *c');
    expect(change('intervalSec: 1', 'intervalSec: 2', tied)).toBeUndefined();
    expect(change('name: build', 'dir: /tmp\n    name: build', tied)).toBeUndefined();
  });
});
