import { authoredSchema } from '../../core/spec/authored.ts';
import { Container } from '../../core/spec/authored/executors.ts';
import { ScheduleObject, SecretObject } from '../../core/spec/authored/settings.ts';
import { Handlers, RetryPolicyObject, StepObject } from '../../core/spec/authored/step.ts';
import { CheckedParams } from '../../core/spec/authored/values.ts';

/** A JSON Schema object. */
export type Schema = Readonly<Record<string, unknown>>;

/** Kinds of maps of which an editor is told more than their authored shape says. */
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

/** A map that takes its own keys only, as against one whose keys are data. */
export const isClosed = (schema: Schema): boolean =>
  'properties' in schema && schema['additionalProperties'] === false;

/** Which of the {@link shapes} this is, by its keys. */
export const findShape = (schema: Schema): ShapeName | undefined =>
  isClosed(schema) ? nameByKeys.get(keysOf(schema['properties'] as object)) : undefined;
