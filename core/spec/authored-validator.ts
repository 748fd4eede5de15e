// A file of its own: the build replaces it with compiled code.
import { Ajv, type ValidateFunction } from 'ajv';
import { authoredSchema } from './authored.ts';
import { extractDefinitions } from './share-definitions.ts';

/** A schema error: the properties of Ajv's error object that a compiled validator provides, too. */
export interface AuthoredError {
  /** JSON pointer of the value; empty for the document. */
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}

let validate: ValidateFunction | undefined;

/**
 * Validates a plain value against {@link authoredSchema}. The build replaces this module with code compiled from the
 * same schema, so that startup needs no compiler.
 * @returns all errors, including one per branch of a union; empty if the value is valid
 */
export function validateAuthored(value: unknown): AuthoredError[] {
  validate ??= new Ajv({
    allErrors: true,
    strict: false,
    inlineRefs: false,
    // Our own schema is known to be valid; validating it would take as long as compiling it.
    validateSchema: false,
    meta: false,
  }).compile(extractDefinitions(authoredSchema));
  return validate(value) ? [] : [...(validate.errors ?? [])];
}
