import type { TSchema } from 'typebox';
import { errorCodes, type ErrorCode } from '../base/error-codes.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { Diagnostic } from '../model/diagnostic.ts';
import { Step, Condition, SourcePosition } from '../model/step.ts';
import { Parameter, Schedule, Workflow } from '../model/workflow.ts';
import { findResponseFieldDescription } from './schema-descriptions.ts';
import { GatewayCatalogView, GatewayTableView } from './gateway.ts';
import { WorkerView } from './workers.ts';
import { QueueView } from './queues.ts';
import { HookOptions, HookView } from './webhook-views.ts';
import { ReceivedDeliveryView, ReceiverView } from './receivers.ts';
import { DagDetailView, DagSummaryView } from './dags.ts';
import {
  DryConditionView,
  DryFolderView,
  DryNamedValueView,
  DryPlanView,
  DryRunView,
  DryStepView,
  DryValueView,
} from './dry.ts';
import { EventView, LogExtent, LogLines } from './logs.ts';
import { QuoteSentence, QuoteWord } from './quotes.ts';
import {
  ApprovalView,
  AttemptView,
  DagName,
  RunDetailView,
  RunId,
  RunRefView,
  RunStatusView,
  RunSummaryView,
  StepRunView,
  StepStatusView,
} from './run-views.ts';
import { TokenView, RoleView, UserView } from './accounts.ts';
import { sendsInputInQuery } from './transport.ts';

/** Schemas that the API document defines once and references; all others are inlined. */
const namedSchemas: Readonly<Record<string, TSchema>> = {
  ApprovalView,
  AttemptView,
  Condition,
  DagDetailView,
  DagName,
  DagSummaryView,
  Diagnostic,
  DryConditionView,
  DryFolderView,
  DryNamedValueView,
  DryPlanView,
  DryRunView,
  DryStepView,
  DryValueView,
  EventView,
  GatewayCatalogView,
  GatewayTableView,
  HookOptions,
  HookView,
  LogExtent,
  LogLines,
  NamedValue: Parameter,
  QueueView,
  QuoteSentence,
  QuoteWord,
  ReceivedDeliveryView,
  ReceiverView,
  RoleView,
  RunDetailView,
  RunId,
  RunRefView,
  RunStatusView,
  RunSummaryView,
  Schedule,
  SourcePosition,
  Step,
  StepRunView,
  StepStatusView,
  TokenView,
  UserView,
  WorkerView,
  Workflow,
};

/** Schemas with equal JSON are the same schema, whatever TypeBox object they come from; the first name is used. */
const nameByText = new Map(
  Object.entries(namedSchemas)
    .toReversed()
    .map(([name, schema]) => [JSON.stringify(schema), name]),
);

const errorBody: JsonObject = {
  type: 'object',
  description: 'Error. `code` is for programs, `message` for people.',
  required: ['code', 'message'],
  properties: {
    code: { type: 'string', enum: Object.keys(errorCodes), description: 'Error code' },
    message: { type: 'string', description: 'What is wrong, and how to fix it' },
    details: { type: 'object', additionalProperties: true, description: 'Details, depending on the code' },
  },
};

/** Returns the name of a schema, if it is one of the named ones. */
export const findSchemaName = (schema: TSchema): string | undefined => nameByText.get(JSON.stringify(schema));

/** Returns the named schemas. */
export const listSharedSchemas = (): { readonly name: string; readonly schema: TSchema }[] =>
  Object.entries(namedSchemas).map(([name, schema]) => ({ name, schema }));

/** Returns a reference to a named schema. */
export const refTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/**
 * Returns the JSON Schema with references to the named schemas and a description of each property.
 * @param owner name of the operation or property that contains it
 */
export const toSchemaObject = (schema: TSchema, owner: string): JsonObject =>
  addDescriptions(toJson(schema), owner);

/** Returns all named schemas for `components.schemas`. */
export function toNamedSchemas(): JsonObject {
  const entries = Object.entries(namedSchemas).map(([name, schema]) => [
    name,
    toInlineSchema(toJson(schema), name),
  ]);
  return { ...Object.fromEntries(entries), ErrorBody: errorBody };
}

/** @param parent name of the containing property or schema, which distinguishes properties of the same name */
function addDescriptions(schema: JsonObject, parent: string): JsonObject {
  const name = nameByText.get(JSON.stringify(schema));
  return name === undefined ? toInlineSchema(schema, parent) : refTo(name);
}

/** Describes a schema without replacing it by a reference. */
function toInlineSchema(schema: JsonObject, parent: string): JsonObject {
  const { properties, patternProperties, items, anyOf } = schema;
  const toSubschema = (part: JsonValue): JsonObject => addDescriptions(asObject(part), parent);
  return {
    ...schema,
    ...(properties !== undefined && { properties: toProperties(asObject(properties), parent) }),
    ...(patternProperties !== undefined && {
      patternProperties: Object.fromEntries(
        Object.entries(asObject(patternProperties)).map(([pattern, part]) => [pattern, toSubschema(part)]),
      ),
    }),
    ...(items !== undefined && { items: toSubschema(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(toSubschema) }),
  };
}

function toProperties(properties: JsonObject, parent: string): JsonObject {
  const entries = Object.entries(properties).map(([name, value]) => {
    const property = asObject(value);
    const description = findResponseFieldDescription(parent, name, property);
    return [name, { ...addDescriptions(property, name), ...(description !== undefined && { description }) }];
  });
  return Object.fromEntries(entries) as JsonObject;
}

/** Schemas here are objects, never `true` or `false`. */
const asObject = (value: JsonValue): JsonObject => value as JsonObject;

const toJson = (schema: TSchema): JsonObject => JSON.parse(JSON.stringify(schema)) as JsonObject;

/** Returns an example error body for each code that the responses refer to. */
export const toExamples = (sources: readonly ErrorSource[]): JsonObject =>
  Object.fromEntries(
    [...new Set(sources.flatMap(listErrors).flatMap(([, codes]) => codes))].map((code) => {
      const { meaning } = errorCodes[code];
      return [code, { summary: meaning, value: { code, message: exampleMessages[code] ?? meaning } }];
    }),
  );

/** Messages for cases in which the general message of a code would be misleading. */
const exampleMessages: Partial<Record<ErrorCode, string>> = {
  bad_request: 'limit: must be at most 1000, not 5000',
  not_found: 'Run "nightly-7" of "sales-etl" not found.',
  already_exists: 'Run "nightly-7" of "sales-etl" already exists.',
  max_run_reached: '"sales-etl" has 1 active or queued run, and its maxActiveRuns is 1.',
};

/** An operation or a stream with its errors. */
interface ErrorSource {
  readonly errors: readonly ErrorCode[];
  readonly public?: true;
  /** Absent for streams. */
  readonly method?: string;
}

/** Returns one entry per HTTP status, with a reference to the response that all errors with the same codes share. */
export const toErrorResponses = (source: ErrorSource): JsonObject =>
  Object.fromEntries(
    listErrors(source).map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${replyName(codes)}` },
    ]),
  );

/** Returns the responses that the entries refer to, by name, for `components.responses`. */
export const toResponses = (sources: readonly ErrorSource[]): JsonObject =>
  Object.fromEntries(
    sources.flatMap(listErrors).map(([, codes]) => [replyName(codes), toErrorResponse(codes)]),
  );

/** Lists the expected codes by HTTP status; several codes may have the same status. */
function listErrors({
  errors,
  public: isPublic,
  method = 'GET',
}: ErrorSource): [status: number, codes: ErrorCode[]][] {
  const byAll: readonly ErrorCode[] = ['bad_request', 'forbidden', 'internal_error', 'unavailable'];
  const always: readonly ErrorCode[] = isPublic ? byAll : ['unauthorized', ...byAll];
  const bodyErrorCodes: readonly ErrorCode[] = sendsInputInQuery(method)
    ? []
    : ['payload_too_large', 'unsupported_media_type'];
  const expected = [...new Set([...always, ...errors, ...bodyErrorCodes])];
  return [...Map.groupBy(expected, (code) => errorCodes[code].http)];
}

const replyName = (codes: readonly ErrorCode[]): string => codes.join('.');

const toErrorResponse = (codes: readonly ErrorCode[]): JsonObject => ({
  description: codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join(' '),
  content: {
    'application/json': {
      schema: refTo('ErrorBody'),
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
});
