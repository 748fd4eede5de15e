import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type AnySchemaObject } from 'ajv';
import { describe, expect, it } from 'vitest';
import { validateAuthored } from '../../core/spec/authored-validator.ts';
import { canonicaliseKeys } from '../../core/spec/canonical-keys.ts';
import { loadSpec } from '../../core/spec/load.ts';
import { createReport } from '../../core/spec/source/report.ts';
import { toValue, type SourceNode } from '../../core/spec/source/source-node.ts';
import { parseYaml } from '../../core/spec/yaml/parse-yaml.ts';
import { buildEditorSchema } from '../../scripts/editor-schema.ts';
import { listCodeBlocks, listPages } from '../docs/read-page.ts';

const ROOT = join(import.meta.dirname, '../..');
const schema = buildEditorSchema() as AnySchemaObject;
const ajv = new Ajv({ allErrors: true, strict: false });
const validate = ajv.compile(schema);

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const listYaml = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${folder}/${name}`);

function parse(text: string): readonly SourceNode[] | undefined {
  const source = text.replace(/^\uFEFF/, '');
  return parseYaml(source, createReport(source, ''));
}

/** What the schema finds in the documents of a text. */
function findErrors(text: string): unknown[] {
  return (parse(text) ?? []).flatMap((node) => (validate(toValue(node)) ? [] : [...(validate.errors ?? [])]));
}

/** Whether the mistakes of a file are of the kind that a schema can find: of keys and shapes. */
function isOfShape(text: string): boolean {
  const documents = parse(text);
  return (
    documents?.some((node) => {
      const report = createReport(text, '');
      const canonical = canonicaliseKeys({ node, path: '' }, report);
      // A key given in two spellings is seen by the loader only.
      const unknown = report.list().some(({ message }) => message.includes('not known here'));
      return unknown || validateAuthored(toValue(canonical)).length > 0;
    }) ?? false
  );
}

/** Every field with the schema that says what it is. */
function listFields(part: unknown, path = ''): [string, AnySchemaObject][] {
  if (typeof part !== 'object' || part === null) return [];
  const { properties, examples: _, if: __, ...rest } = part as AnySchemaObject;
  const own = Object.entries((properties ?? {}) as Record<string, AnySchemaObject>).flatMap(
    ([key, field]): [string, AnySchemaObject][] => [
      [`${path}.${key}`, field],
      ...listFields(field, `${path}.${key}`),
    ],
  );
  return [...own, ...Object.entries(rest).flatMap(([key, value]) => listFields(value, `${path}/${key}`))];
}

/** The schema of a field, with that of the shape it may refer to. */
const resolve = (field: AnySchemaObject): AnySchemaObject =>
  field['$ref'] === undefined
    ? field
    : {
        ...(schema['$defs'] as Record<string, AnySchemaObject>)[String(field['$ref']).split('/').at(-1)!],
        ...field,
      };

const fields = listFields(schema);

describe('the schema for editors', () => {
  it.each([...listYaml('test/fixtures/workflows/valid'), ...listYaml('resources/samples')])(
    'takes %s',
    (path) => {
      expect(findErrors(read(path))).toEqual([]);
    },
  );

  it.each(listYaml('test/fixtures/workflows/invalid').filter((path) => isOfShape(read(path))))(
    'refuses %s',
    (path) => {
      expect(findErrors(read(path))).not.toEqual([]);
    },
  );

  it('takes the workflows of the documentation', () => {
    const blocks = listPages().flatMap(listCodeBlocks);
    const workflows = blocks.filter(({ language, marks }) => language === 'yaml' && marks.length === 0);
    expect(workflows.length).toBeGreaterThan(5);
    expect(workflows.flatMap(({ text }) => findErrors(text))).toEqual([]);
  });

  it('describes every field and gives examples of it', () => {
    expect(fields.length).toBeGreaterThan(150);
    const bare = fields.filter(([, field]) => {
      const { description, examples } = resolve(field);
      return !description || !Array.isArray(examples) || examples.length === 0;
    });
    expect(bare.map(([path]) => path)).toEqual([]);
  });

  it('has examples that fit', () => {
    for (const [path, field] of fields) {
      const { examples, ...rest } = resolve(field);
      const check = ajv.compile({ ...rest, $defs: schema['$defs'] });
      for (const example of examples as unknown[]) {
        expect(check(example), `${path}: ${JSON.stringify(example)}`).toBe(true);
      }
    }
  });

  it('has examples that load', () => {
    const own = (part: AnySchemaObject): [string, AnySchemaObject][] =>
      Object.entries(part['properties'] as Record<string, AnySchemaObject>);
    const action = { command: 'echo hello' };
    const texts = [
      ...own(schema).flatMap(([key, field]) =>
        (resolve(field)['examples'] as unknown[]).map((example) => ({ steps: [action], [key]: example })),
      ),
      ...own((schema['$defs'] as Record<string, AnySchemaObject>)['step']!).flatMap(([key, field]) =>
        (resolve(field)['examples'] as unknown[]).map((example) => {
          const does = ['run', 'call'].includes(key) ? {} : key === 'params' ? { run: 'child' } : action;
          return {
            type: 'graph',
            steps: [
              { name: 'extract', ...action },
              { name: 'left', ...action },
              { name: 'right', ...action },
              { ...does, [key]: example },
            ],
          };
        }),
      ),
    ].map((value) => JSON.stringify(value));
    const wrong = texts.flatMap((text) =>
      loadSpec({ text }, [])
        .diagnostics.filter(({ severity }) => severity === 'error')
        .map(({ message }) => `${text}: ${message}`),
    );
    expect(texts.length).toBeGreaterThan(80);
    expect(wrong).toEqual([]);
  });
});
