// A file of its own: the build replaces it with compiled code.
import { Ajv, type ValidateFunction } from 'ajv';
import { homeFileSchemas, type HomeFileKind } from '../contract/home-files.ts';

/** The properties of Ajv's error object that a compiled validator provides, too. */
export interface HomeFileIssue {
  /** JSON pointer of the value; empty for the document. */
  readonly instancePath: string;
  readonly message?: string;
}

const validators = new Map<HomeFileKind, ValidateFunction>();

/** Returns the first error of the content of a JSON file of the home; undefined if it is valid. */
export function validateHomeFile(kind: HomeFileKind, content: unknown): HomeFileIssue | undefined {
  const validate = validators.get(kind) ?? new Ajv({ strict: false }).compile(homeFileSchemas[kind]);
  validators.set(kind, validate);
  return validate(content) ? undefined : validate.errors?.[0];
}
