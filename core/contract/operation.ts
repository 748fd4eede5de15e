import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../base/error-codes.ts';

/** Roles that may call an operation if authentication is enabled; each role includes the previous ones. */
export const roles = ['viewer', 'operator', 'manager', 'admin'] as const;

export type Role = (typeof roles)[number];

/** Whether the role `actual` is `required` or includes it. */
export const includesRole = (actual: Role, required: Role): boolean =>
  roles.indexOf(actual) >= roles.indexOf(required);

/** What an audited operation changes; `resource` is a workflow, a run or another named resource. */
export type AuditTarget =
  | 'approval'
  | 'base-config'
  | 'gateway-change'
  | 'gateway-request'
  | 'login'
  | 'mail-server'
  | 'notification'
  | 'queue'
  | 'receiver'
  | 'resource'
  | 'setting'
  | 'token'
  | 'user'
  | 'webhook'
  | 'worker';

/**
 * An operation of the API. The HTTP routes, OpenAPI, IPC handlers and client types are generated from the table of
 * operations. Payloads are JSON only.
 */
export interface Operation<Input extends TObject = TObject, Output extends TSchema = TSchema> {
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** API version of its service in the URL, if it is not the engine API. */
  readonly version?: 1;
  /**
   * Relative to `/api/v2`, or `/api/v1` with `version: 1`. `{name}` segments are fields of the input; other fields are
   * sent in the query (GET, DELETE) or body.
   */
  readonly path: string;
  readonly input: Input;
  readonly output: Output;
  /** Errors that callers should expect; `internal_error` and `bad_request` are implied. */
  readonly errors: readonly ErrorCode[];
  readonly role: Role;
  /**
   * What a caller wants to do, in lower case: "may not" and the audit log. Absent for operations that every role may
   * call and that are not logged.
   */
  readonly label?: string;
  /** How the audit log names the target of the operation. Absent if it is not logged. */
  readonly audit?: AuditTarget;
  /** Callable without credentials, whatever the role. */
  readonly public?: true;
  /** Maximum size of a request body over HTTP in bytes. Default: 8 MiB. */
  readonly maxBodyBytes?: number;
  /** Status of a response that has created a resource with its own URL. Default: 200. */
  readonly status?: 201;
}

/** Returns the schema of an input without other fields. */
export const closeInput = (input: TObject) => ({ ...input, additionalProperties: false });

/** Preserves the literal types of a definition. */
export const defineOperation = <Input extends TObject, Output extends TSchema>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> => {
  limitIntegers(operation.input);
  return operation;
};

/** A stream of items that continues until the client disconnects: server-sent events, or messages over IPC. */
export interface StreamOperation<Input extends TObject = TObject, Item extends TSchema = TSchema> {
  readonly summary: string;
  readonly path: string;
  readonly input: Input;
  readonly item: Item;
  readonly errors: readonly ErrorCode[];
  readonly role: Role;
  readonly label?: string;
}

/** Preserves the literal types of a definition. */
export const defineStream = <Input extends TObject, Item extends TSchema>(
  stream: StreamOperation<Input, Item>,
): StreamOperation<Input, Item> => {
  limitIntegers(stream.input);
  return stream;
};

/** Limits every integer of an input to JavaScript's safe integers, if it has no limits of its own. */
function limitIntegers(schema: object): void {
  const integer: { type?: unknown; minimum?: number; maximum?: number } = schema;
  if (integer.type === 'integer') {
    integer.minimum ??= Number.MIN_SAFE_INTEGER;
    integer.maximum ??= Number.MAX_SAFE_INTEGER;
  }
  for (const part of Object.values(schema)) {
    if (typeof part === 'object' && part !== null) limitIntegers(part);
  }
}

export type InputOf<Op> = Op extends { readonly input: infer Input extends TSchema } ? Static<Input> : never;

export type OutputOf<Op> = Op extends { readonly output: infer Output extends TSchema }
  ? Static<Output>
  : never;

export type ItemOf<Op> = Op extends { readonly item: infer Item extends TSchema } ? Static<Item> : never;
