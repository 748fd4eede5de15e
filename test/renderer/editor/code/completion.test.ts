import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { complete } from '../../../../renderer/editor/code/complete-yaml.ts';
import type { PreviousOutputs } from '../../../../renderer/editor/run/test-store.ts';
import { readContext } from '../../../../renderer/editor/code/schema-context.ts';
import { findKeyText } from '../../../../renderer/editor/code/hovers.ts';
import { analyze } from '../../../harness/workflow-texts.ts';

/** The text without the cursor marker. */
function placeCursor(marked: string): { text: string; at: number } {
  const at = marked.indexOf('|@');
  return { text: marked.replace('|@', ''), at };
}

const noOutputs: PreviousOutputs = new Map();

async function offer(marked: string, known = ''): Promise<string[]> {
  const { text, at } = placeCursor(marked);
  const context = new CompletionContext(EditorState.create({ doc: text }), at, true);
  const result = await complete(context, {
    analysis: () => analyze(known === '' ? text : known, 'etl.yaml'),
    names: () => Promise.resolve({ queues: ['night', 'day'], workflows: ['load-region'] }),
    outputs: () => noOutputs,
  });
  return (result?.options ?? []).map(({ label }) => label);
}

describe('the context of a position', () => {
  it.each([
    ['na|@', { path: [], kind: 'key', word: 'na' }],
    ['\n  na|@', { path: [], kind: 'key', word: 'na', from: 3 }],
    ['|@\ntype: graph', { path: [], kind: 'key', word: '', from: 0 }],
    ['type: gr|@', { path: [], kind: 'value', key: 'type', word: 'gr' }],
    ['steps:\n  - na|@', { path: ['steps', 0], kind: 'item' }],
    ['steps:\n  - name: a\n    com|@', { path: ['steps', 0], kind: 'key', word: 'com' }],
    ['steps:\n- name: a\n  com|@', { path: ['steps', 0], kind: 'key' }],
    ['steps:\n  - name: a\n    depends: [x, |@', { path: ['steps', 0], kind: 'value', key: 'depends' }],
    ['steps:\n  - name: a\n    depends:\n      - |@', { path: ['steps', 0, 'depends', 0], kind: 'item' }],
    ['steps:\n  - - name: a\n      ret|@', { path: ['steps', 0, 0], kind: 'key' }],
    ['steps:\n  one:\n    comm|@', { path: ['steps', 'one'], kind: 'key' }],
    ['handlerOn:\n  exit:\n    ti|@', { path: ['handlerOn', 'exit'], kind: 'key' }],
    ['name: x\r\nsteps:\r\n  - name: a\r\n    com|@', { path: ['steps', 0], kind: 'key' }],
    ['a: [\nsteps:\n  - x|@', { path: ['steps', 0], kind: 'item', word: 'x' }],
    ['steps:\n  - a\n---\nna|@', { path: [], kind: 'key' }],
  ])('%j', (marked, expected) => {
    const { text, at } = placeCursor(marked);
    expect(readContext(text, at)).toMatchObject(expected);
  });
});

describe('completion', () => {
  it('offers the missing keys of a step, also in invalid YAML', async () => {
    const found = await offer('steps:\n  - name: a\n    |@\n    command: echo\n  - name: "b\n');
    expect(found).toEqual(expect.arrayContaining(['depends', 'retryPolicy', 'script']));
    expect(found).not.toContain('name');
    expect(found).not.toContain('command');
    expect(found).not.toContain('steps');
  });

  it('offers the values in the schema', async () => {
    expect(await offer('type: |@')).toEqual(['chain', 'graph']);
    expect(await offer('skipIfSuccessful: |@')).toEqual(['true', 'false']);
    expect(await offer('steps:\n  - repeatPolicy:\n      repeat: |@')).toEqual(
      expect.arrayContaining(['while', 'until', 'true']),
    );
  });

  it('offers steps for depends, queues, workflows and step types', async () => {
    const steps = 'steps:\n  - name: fetch\n    command: echo\n  - name: load\n    command: echo\n';
    expect(await offer(`${steps}    depends: [|@`, steps)).toEqual(['fetch', 'load']);
    expect(await offer(`${steps}    depends:\n      - |@`, steps)).toEqual(['fetch', 'load']);
    expect(await offer('queue: |@')).toEqual(['night', 'day']);
    expect(await offer('steps:\n  - run: |@')).toEqual(['load-region']);
    expect(await offer('steps:\n  - type: |@')).toContain('http');
  });

  it('offers valid references', async () => {
    const text = `params:
  - REGION: eu
env:
  - TARGET: out
steps:
  - id: fetch
    name: fetch it
    command: echo
    output: RESULT
  - name: load
    command: echo`;
    const found = await offer(`${text} \${|@`, `${text}\n`);
    expect(found).toEqual(
      expect.arrayContaining(['REGION', 'TARGET', 'RESULT', 'fetch.stdout', 'fetch.exitCode', 'DAG_NAME']),
    );
  });

  it('offers step snippets at the start of a step, and nothing in a comment', async () => {
    expect(await offer('steps:\n  - |@')).toEqual(
      expect.arrayContaining(['step: command', 'name', 'command']),
    );
    expect(await offer('# na|@')).toEqual([]);
  });
});

describe('help for a field', () => {
  it('resolves fields in any spelling by their parent map', () => {
    const text = 'steps:\n  - name: a\n    retry_policy:\n      limit: 3\n';
    expect(findKeyText(text, text.indexOf('retry_policy'), 'retry_policy')?.name).toBe('retryPolicy');
    expect(findKeyText(text, text.indexOf('limit'), 'limit')?.schema.description).toMatch(
      /number of retries/,
    );
    expect(findKeyText(text, text.indexOf('name'), 'name')?.schema.description).toMatch(/Generated/);
    expect(findKeyText('foo: 1\n', 0, 'foo')).toBeUndefined();
  });
});
