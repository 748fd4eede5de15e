import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type AnySchemaObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseAllDocuments } from 'yaml';
import { root } from '../../docs/read-page.ts';

/** A schema as checked in, which people configure in their editors. */
export const readSchema = (kind: 'workflow' | 'base'): AnySchemaObject =>
  JSON.parse(readFileSync(join(root, `resources/schema/${kind}.schema.json`), 'utf8')) as AnySchemaObject;

/** Keywords of editors. */
const editorWords = ['deprecationMessage', 'enumDescriptions'];
// A key required in one of two spellings is listed in the alternatives, away from the properties.
const options: Options = { allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true };

/** Validates by draft 7, as the schema declares, and by 2020-12, as some editors do. */
export const compileBoth = (schema: AnySchemaObject): readonly ValidateFunction[] => compileParts(schema)('');

/**
 * Prepares the validation of parts of a schema, as {@link compileBoth} does.
 * @returns compiles the part at a JSON pointer
 */
export function compileParts(schema: AnySchemaObject): (pointer: string) => readonly ValidateFunction[] {
  const { $schema: _, ...undated } = schema;
  const [old, recent] = [new Ajv(options), new Ajv2020(options)];
  for (const ajv of [old, recent]) ajv.addVocabulary(editorWords);
  old.addSchema(schema, 'whole');
  recent.addSchema(undated, 'whole');
  return (pointer) => [old, recent].map((ajv) => ajv.getSchema(`whole#${pointer}`)!);
}

/** The result for a text that is not valid YAML. */
export const notYaml = ['not YAML'];

/**
 * What an editor finds in a text with a schema: each document by itself, by a YAML parser and validators
 * independent of the loader's.
 * @returns {@link notYaml} for invalid YAML
 */
export function findProblems(text: string, validators: readonly ValidateFunction[]): string[] {
  const documents = parseAllDocuments(text, { merge: true });
  if (documents.some(({ errors }) => errors.length > 0)) return notYaml;
  const values = [...documents].filter(({ contents }) => contents !== null).map(toPlain);
  if (values.includes(undefined)) return notYaml;
  const [first = [], ...others] = validators.map((validate) =>
    values.flatMap((value) => {
      const errors = validate(value) ? [] : (validate.errors ?? []);
      return errors.map(({ instancePath, message, params }) =>
        [instancePath, message, JSON.stringify(params)].join(' '),
      );
    }),
  );
  const disagreement = others.some((other) => other.length > 0 !== first.length > 0);
  if (disagreement) throw new Error('the schema means something else by the rules of another draft');
  return first;
}

/** Undefined for nodes without a plain value, such as an alias within its own anchor. */
function toPlain(document: { toJS(options: { maxAliasCount: number }): unknown }): unknown {
  try {
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: -1 }))) as unknown;
  } catch {
    return undefined;
  }
}
