import { Ajv, type ValidateFunction } from 'ajv';
import { authoredSchema } from './authored.ts';
import { shareDefinitions } from './share-definitions.ts';

/** What the schema finds wrong: the parts of Ajv's error object that a compiled validator has too. */
export interface AuthoredError {
  /** JSON pointer of the value; empty for the document. */
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}

let validate: ValidateFunction | undefined;

/**
 * Checks a plain value against {@link authoredSchema}. The build puts code compiled from the same schema
 * in the place of this module, so that a start needs no compiler.
 * @returns every mistake, one for each branch of a union too; empty when the value fits
 */
export function validateAuthored(value: unknown): AuthoredError[] {
  validate ??= new Ajv({
    allErrors: true,
    strict: false,
    inlineRefs: false,
    // Our own schema is known to be one; to check that takes as long as to compile it.
    validateSchema: false,
    meta: false,
  }).compile(shareDefinitions(authoredSchema));
  return validate(value) ? [] : [...(validate.errors ?? [])];
}
