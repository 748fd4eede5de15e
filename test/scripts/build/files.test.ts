import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadBaseConfig } from '../../../core/spec/base-config.ts';
import { loadSpec } from '../../../core/spec/load.ts';
import { readTopics } from '../../conformance/harness/cases.ts';
import { isBase, listYamlBlocks, root } from '../../docs/read-page.ts';
import { compileBoth, findProblems, readSchema, notYaml } from './independent-check.ts';

const workflow = compileBoth(readSchema('workflow'));
const base = compileBoth(readSchema('base'));

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const listYaml = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${folder}/${name}`);
const blocks = listYamlBlocks();
const isInvalid = ({ marks }: { readonly marks: readonly string[] }): boolean => marks.includes('invalid');

const cases = readTopics().flatMap((topic) => topic.cases);
const rejected = cases.filter(({ expect: expected }) => 'rejected' in expected);
/**
 * Without those that have an empty value: it has no effect, which the loader warns about and editors mark.
 */
const accepted = cases.filter(({ spec }) => {
  const { workflows, diagnostics } = loadSpec({ text: spec });
  return (
    workflows.length > 0 && !diagnostics.some(({ message }) => message.includes('is empty and has no effect'))
  );
});

describe('the workflow schema accepts', () => {
  it.each([...listYaml('test/fixtures/workflows/valid'), ...listYaml('resources/samples')])('%s', (path) => {
    expect(findProblems(read(path), workflow)).toEqual([]);
  });

  it.each(blocks.filter((block) => !isInvalid(block) && !isBase(block)))('$place', ({ text }) => {
    expect(findProblems(text, workflow)).toEqual([]);
  });

  it.each(accepted)('$title', ({ spec }) => {
    expect(findProblems(spec, workflow)).toEqual([]);
  });

  it('most of the conformance suite', () => {
    expect(accepted.length).toBeGreaterThan(150);
  });
});

describe('the schema of a base configuration', () => {
  it.each(blocks.filter(isBase))('accepts $place', ({ text }) => {
    expect(loadBaseConfig({ text }).base).toBeDefined();
    expect(findProblems(text, base)).toEqual([]);
  });

  it('warns that a name and steps have no effect, and rejects workflow fields that are invalid there', () => {
    const text = 'name: x\nsteps: [echo]\nenv: { A: a }\n';
    expect(loadBaseConfig({ text }).diagnostics).toHaveLength(2);
    expect(findProblems(text, base)).toEqual([]);
    expect(findProblems('maxActiveRuns: many\n', base)).not.toEqual([]);
    expect(findProblems('stepss: []\n', base)).not.toEqual([]);
    for (const key of ['name', 'steps'])
      expect(readSchema('base')['properties'][key]).toMatchObject({ deprecated: true });
  });
});

const atOnce = 'it is about several steps, or documents, at once';
const together = 'it is about which fields go with which';
const inText = 'it is in a name, or in what a text stands for';
const nothing = 'there is nothing to check';
const lenient = 'it is YAML that the loader is stricter about than parsers are';

/** Invalid fixtures whose error a schema cannot detect, with the reason. */
const beyondSchema: Readonly<Record<string, string>> = {
  'bad-params': inText,
  'bad-repeat-policy': together,
  'bad-shell': inText,
  'bad-webhooks': inText,
  binary: lenient,
  'clashing-ids': atOnce,
  'config-without-type': together,
  'control-character': lenient,
  cycle: atOnce,
  'cycle-in-chain': atOnce,
  'direct-shell': together,
  'documents-with-one-name': atOnce,
  'documents-without-name': 'only the first document may do without a name',
  'duplicate-step-names': atOnce,
  empty: nothing,
  'list-as-key': lenient,
  'misplaced-tty': together,
  'name-in-step-map': together,
  'only-comments': nothing,
  'open-quote-in-params': inText,
  'same-meaning-twice': together,
  'self-dependency': atOnce,
  'two-actions': together,
  'unknown-dependency': atOnce,
};

/** Fixtures that are not valid YAML, which editors report without a schema. */
const noYaml: readonly string[] = [
  'backtick-start',
  'bad-escape',
  'bad-indentation',
  'cyclic-alias',
  'duplicate-keys',
  'merge-of-text',
  'missing-colon',
  'nested-map-on-key-line',
  'open-bracket',
  'open-quote',
  'several-lines-as-value',
  'tab-in-step',
  'tab-indentation',
  'unexpected-text-after-quote',
  'unresolved-alias',
];

describe('an invalid file', () => {
  const folder = 'test/fixtures/workflows/invalid';
  const names = listYaml(folder).map((path) => path.replace(/^.*\/|\.yaml$/g, ''));
  const faultsOf = (name: string): string[] => findProblems(read(`${folder}/${name}.yaml`), workflow);

  // A new fixture whose error a schema cannot detect needs a line above.
  it.each(names.filter((name) => !(name in beyondSchema) && !noYaml.includes(name)))(
    'is rejected by the schema: %s',
    (name) => {
      expect(faultsOf(name)).not.toEqual([]);
      expect(faultsOf(name)).not.toEqual(notYaml);
    },
  );

  it.each(names)('is rejected by the loader: %s', (name) => {
    const { workflows } = loadSpec({ text: read(`${folder}/${name}.yaml`) });
    expect(workflows).toEqual([]);
  });

  it.each(Object.entries(beyondSchema))('has an error beyond a schema: %s, since %s', (name) => {
    expect(faultsOf(name)).toEqual([]);
  });

  it.each(noYaml)('is not valid YAML: %s', (name) => {
    expect(faultsOf(name)).toEqual(notYaml);
  });

  it.each(rejected.filter(({ topic }) => /^5[12]0-/.test(topic)))(
    'is rejected by the schema: $title',
    ({ spec }) => {
      expect(findProblems(spec, workflow)).not.toEqual([]);
    },
  );
});
