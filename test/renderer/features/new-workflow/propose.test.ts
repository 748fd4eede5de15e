import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadSpec } from '../../../../core/spec/load.ts';
import {
  listCandidates,
  emptyChoices,
  proposeWorkflows,
  findTemplates,
  templates,
  emptyInputs,
  withSourceText,
} from '../../../../renderer/features/new-workflow/proposals.ts';
import type { TextSourceKind } from '../../../../renderer/features/new-workflow/new-workflow-button.tsx';

const of = (way: TextSourceKind, text: string, fileName = '') =>
  proposeWorkflows(way, withSourceText(emptyInputs, way, { text, fileName }), templates);

test('a blank workflow has no steps, and a free name', () => {
  const { workflows } = proposeWorkflows('blank', emptyInputs, templates);
  expect(workflows).toMatchObject([{ text: 'steps: []\n', isBlank: true }]);
  const [candidate] = listCandidates(workflows, emptyChoices, new Set(['my-workflow']));
  expect(candidate).toMatchObject({ name: 'my-workflow-2', nameError: undefined });
});

test('proposes nothing, without errors, until there is input', () => {
  for (const way of ['shell', 'crontab', 'makefile', 'yaml'] as const)
    expect(of(way, ' \n')).toEqual({ workflows: [], notes: [], reason: undefined });
});

test('copies a template byte for byte under its own name', () => {
  const [template] = findTemplates(templates, 'pg_dump');
  const { workflows } = proposeWorkflows('template', { ...emptyInputs, template: template!.id }, templates);
  expect(workflows).toEqual([{ name: 'database-dump', text: template!.text, notes: [] }]);
});

test('templates have title, purpose and tags, and are found by all words', () => {
  expect(templates.length).toBeGreaterThanOrEqual(12);
  expect(templates[0]).toMatchObject({ id: 'first-steps', title: 'First steps', tags: ['start'] });
  for (const { title, description, tags } of templates) {
    expect(title).not.toBe('');
    expect(description).not.toContain('undefined');
    expect(description).toMatch(/^(?:[A-Z]|pg_dump)/);
    expect(tags.length).toBeGreaterThan(0);
  }
  expect(findTemplates(templates, 'BACKUP keep').map(({ id }) => id)).toContain('folder-backup');
  expect(findTemplates(templates, 'backup zebra')).toEqual([]);
});

test('the examples of docs/new-workflow.md match the output of the imports', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../../docs/new-workflow.md'), 'utf8');
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => [
    language,
    text!,
  ]);
  const pairs = blocks.flatMap(([language, text], index) =>
    language === 'yaml' ? [[blocks[index - 1]![1]!, text!]] : [],
  );
  const made = (['shell', 'crontab', 'makefile'] as const).map((way, index) => {
    const requests = withSourceText(emptyInputs, way, { text: pairs[index]![0]!, fileName: '' });
    const split = { ...requests, shell: { ...requests.shell, split: true } };
    const makefile = { ...split, makefile: { ...split.makefile, target: 'test' } };
    return proposeWorkflows(way, makefile, templates).workflows[0]!.text;
  });
  expect(made).toEqual(pairs.map(([, text]) => text));
});

test('copies a YAML file byte for byte, named after its file or its name field', () => {
  const text = '\uFEFFname: inner # so\r\nsteps: [ ]\r\n';
  expect(of('yaml', text, 'My load.yml').workflows).toEqual([{ name: 'My-load', text, notes: [] }]);
  expect(of('yaml', 'name: "inner"\n').workflows[0]!.name).toBe('inner');
  expect(of('yaml', 'steps: []\n').workflows[0]!.name).toBe('workflow');
});

test('a script is named after its file, and split on request', () => {
  const script = '#!/bin/sh\nset -e\n\n# Fetch\necho 1\n\n# Load\necho 2\n';
  expect(of('shell', script, 'nightly.sh').workflows[0]).toMatchObject({ name: 'nightly' });
  const shell = { text: script, fileName: 'nightly.sh', split: true };
  const { workflows } = proposeWorkflows('shell', { ...emptyInputs, shell }, templates);
  expect(loadSpec({ text: workflows[0]!.text, file: 'x.yaml' }).workflows[0]!.steps).toHaveLength(2);
  expect(of('shell', '#!/usr/bin/python3\nprint(1)\n').reason).toMatch(/not a shell script/);
});

test('the kind of crontab can be selected', () => {
  const text = '0 1 * * * deploy /opt/run.sh --all\n';
  const jobs = (kind: 'detect' | 'user' | 'system') =>
    proposeWorkflows(
      'crontab',
      { ...emptyInputs, crontab: { ...emptyInputs.crontab, text, kind } },
      templates,
    ).workflows.map(({ job }) => [job?.schedule, job?.command]);
  expect(jobs('detect')).toEqual([['0 1 * * *', 'deploy /opt/run.sh --all']]);
  expect(jobs('user')).toEqual(jobs('detect'));
  expect(jobs('system')).toEqual([['0 1 * * *', '/opt/run.sh --all']]);
});

test('converts a makefile target, by default the first one', () => {
  const text = 'all: build\n\techo all\nbuild:\n\techo build\n';
  expect(of('makefile', text).workflows[0]!.name).toBe('all');
  const makefile = { text, fileName: 'Makefile', target: 'build' };
  expect(proposeWorkflows('makefile', { ...emptyInputs, makefile }, templates).workflows[0]!.name).toBe(
    'build',
  );
  const other = withSourceText({ ...emptyInputs, makefile }, 'makefile', { text, fileName: 'Other.mk' });
  expect(other.makefile.target).toBeUndefined();
});

test('names are free, unique, and validated only for selected ones', () => {
  const { workflows } = of('crontab', '0 1 * * * a.sh\n0 2 * * * a.sh\n0 3 * * * b.sh\n');
  const taken = new Set(['a']);
  const names = (choices = emptyChoices) =>
    listCandidates(workflows, choices, taken).map(({ name, nameError }) => [name, nameError]);
  expect(names()).toEqual([
    ['a-2', undefined],
    ['a-3', undefined],
    ['b', undefined],
  ]);
  const twice = {
    ...emptyChoices,
    names: new Map([
      [1, 'same'],
      [2, 'same'],
    ]),
  };
  expect(names(twice)[2]![1]).toBe('This name is already used above. Choose another name.');
  const clash = {
    ...emptyChoices,
    names: new Map([
      [1, 'a'],
      [2, 'b b'],
    ]),
  };
  expect(names(clash).map(([, error]) => error)).toEqual([
    undefined,
    'Workflow "a" already exists. Choose another name.',
    'Invalid character: space. Use only letters, digits, ".", "_" and "-".',
  ]);
  expect(names({ ...clash, excluded: new Set([1, 2]) }).every(([, error]) => error === undefined)).toBe(true);
});

test('a created workflow keeps its name and is not created again', () => {
  const { workflows } = of('crontab', '0 1 * * * a.sh\n0 2 * * * b.sh\n');
  const outcomes = new Map([[0, { ok: true, fileName: 'a' } as const]]);
  const candidates = listCandidates(workflows, { ...emptyChoices, outcomes }, new Set(['a']));
  expect(candidates.map(({ name, isChosen, nameError }) => [name, isChosen, nameError])).toEqual([
    ['a', false, undefined],
    ['b', true, undefined],
  ]);
});
