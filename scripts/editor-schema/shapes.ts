import { authoredSchema } from '../../core/spec/authored.ts';
import { Container } from '../../core/spec/authored/executors.ts';
import { ScheduleObject, SecretObject } from '../../core/spec/authored/settings.ts';
import { Handlers, RetryPolicyObject, StepObject } from '../../core/spec/authored/step.ts';
import { CheckedParams } from '../../core/spec/authored/values.ts';

/** A JSON Schema object. */
export type Schema = Readonly<Record<string, unknown>>;

/** Kinds of maps with editor information beyond their authored shape. */
const shapes = {
  workflow: authoredSchema,
  step: StepObject,
  handlers: Handlers,
  container: Container,
  retryPolicy: RetryPolicyObject,
  schedule: ScheduleObject,
  secret: SecretObject,
  checkedParams: CheckedParams,
};
export type ShapeName = keyof typeof shapes;

const keysOf = (properties: object): string => Object.keys(properties).join();
const nameByKeys = new Map(
  Object.entries(shapes).map(([name, { properties }]) => [keysOf(properties), name as ShapeName]),
);

/** Whether a map accepts only its own keys, and not keys that are data. */
export const isClosed = (schema: Schema): boolean =>
  'properties' in schema && schema['additionalProperties'] === false;

/** Returns which of the {@link shapes} a schema is, by its keys. */
export const findShape = (schema: Schema): ShapeName | undefined =>
  isClosed(schema) ? nameByKeys.get(keysOf(schema['properties'] as object)) : undefined;
