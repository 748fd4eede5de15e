import type { TSchema } from 'typebox';
import { errorCodes } from '../../base/error-codes.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { Diagnostic } from '../../model/diagnostic.ts';
import { Step } from '../../model/workflow/step.ts';
import { Condition, SourcePosition } from '../../model/workflow/values.ts';
import { Parameter, Schedule, Workflow } from '../../model/workflow/workflow.ts';
import { findResponseFieldDescription } from '../reference/schema-meanings.ts';
import { GatewayCatalogView, GatewayTableView } from '../gateway.ts';
import { WorkerView } from '../installation/workers.ts';
import { QueueView } from '../queues.ts';
import { HookOptions, HookView } from '../webhooks/webhook-views.ts';
import { ReceivedDeliveryView, ReceiverView } from '../webhooks/receivers.ts';
import { DagDetailView, DagSummaryView } from '../workflows/dags.ts';
import {
  DryConditionView,
  DryFolderView,
  DryNamedValueView,
  DryPlanView,
  DryRunView,
  DryStepView,
  DryValueView,
} from '../runs/dry.ts';
import { EventView } from '../runs/events.ts';
import { LogExtent, LogLines } from '../runs/logs.ts';
import { QuoteSentence, QuoteWord } from '../quotes.ts';
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
} from '../runs/run-views.ts';
import { TokenView } from '../accounts/tokens.ts';
import { RoleView, UserView } from '../accounts/users.ts';

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
export const findShapeName = (schema: TSchema): string | undefined => nameByText.get(JSON.stringify(schema));

/** Returns the named schemas. */
export const describeShapes = (): { readonly name: string; readonly schema: TSchema }[] =>
  Object.entries(namedSchemas).map(([name, schema]) => ({ name, schema }));

/** Returns a reference to a named schema. */
export const refTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/**
 * Returns the JSON Schema with references to the named schemas and a description of each property.
 * @param owner name of the operation or property that contains it
 */
export const describeSchema = (schema: TSchema, owner: string): JsonObject =>
  describeShape(toJson(schema), owner);

/** Returns all named schemas for `components.schemas`. */
export function describeNamedSchemas(): JsonObject {
  const entries = Object.entries(namedSchemas).map(([name, schema]) => [
    name,
    describeInline(toJson(schema), name),
  ]);
  return { ...Object.fromEntries(entries), ErrorBody: errorBody };
}

/** @param parent name of the containing property or schema, which distinguishes properties of the same name */
function describeShape(schema: JsonObject, parent: string): JsonObject {
  const name = nameByText.get(JSON.stringify(schema));
  return name === undefined ? describeInline(schema, parent) : refTo(name);
}

/** Describes a schema without replacing it by a reference. */
function describeInline(schema: JsonObject, parent: string): JsonObject {
  const { properties, patternProperties, items, anyOf } = schema;
  const describeSubschema = (part: JsonValue): JsonObject => describeShape(asObject(part), parent);
  return {
    ...schema,
    ...(properties !== undefined && { properties: describeProperties(asObject(properties), parent) }),
    ...(patternProperties !== undefined && {
      patternProperties: Object.fromEntries(
        Object.entries(asObject(patternProperties)).map(([pattern, part]) => [
          pattern,
          describeSubschema(part),
        ]),
      ),
    }),
    ...(items !== undefined && { items: describeSubschema(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(describeSubschema) }),
  };
}

function describeProperties(properties: JsonObject, parent: string): JsonObject {
  const entries = Object.entries(properties).map(([name, value]) => {
    const property = asObject(value);
    const description = findResponseFieldDescription(parent, name, property);
    return [name, { ...describeShape(property, name), ...(description !== undefined && { description }) }];
  });
  return Object.fromEntries(entries) as JsonObject;
}

/** Schemas here are objects, never `true` or `false`. */
const asObject = (value: JsonValue): JsonObject => value as JsonObject;

const toJson = (schema: TSchema): JsonObject => JSON.parse(JSON.stringify(schema)) as JsonObject;
