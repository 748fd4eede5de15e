import type { Document } from 'yaml';
import type { JsonValue } from '../../base/json.ts';
import type { StepSettings } from '../outline.ts';
import { plainValue } from '../yaml/values/plain-value.ts';
import type { Field } from './fields.ts';

type Fields = ReadonlyMap<string, Field>;

/**
 * Returns properties of a step other than its action, as far as they can be read; undefined if there are none. Default
 * values belong to the engine and are not included.
 */
export function stepSettingsOf(fields: Fields, document: Document.Parsed): StepSettings | undefined {
  const read = (name: string): JsonValue => plainValue(document, fields.get(name)?.value ?? null);
  const settings: StepSettings = {
    ...conditionsOf(read('preconditions')),
    ...retryOf(mapOf(read('retryPolicy'))),
    ...repeatOf(mapOf(read('repeatPolicy'))),
    ...parallelOf(read('parallel')),
    ...nameValue('timeoutSec', amountOf(read('timeoutSec'))),
    ...nameValue('output', textOf(read('output'))),
    ...(continuesOnError(read('continueOn')) && { continuesOnError: true as const }),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

type Map = Readonly<Record<string, JsonValue>>;

const mapOf = (value: JsonValue): Map | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;

/** Returns a number, or the string of an expression. */
const amountOf = (value: JsonValue | undefined): number | string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? value : undefined;

const textOf = (value: JsonValue): string | undefined => {
  const text = mapOf(value)?.['name'] ?? value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

const nameValue = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value };

function conditionsOf(value: JsonValue): Pick<StepSettings, 'conditions'> {
  const count = Array.isArray(value) ? value.length : value === null || value === '' ? 0 : 1;
  return count === 0 ? {} : { conditions: count };
}

const retryOf = (policy: Map | undefined): Pick<StepSettings, 'retry'> =>
  policy
    ? {
        retry: {
          ...nameValue('limit', amountOf(policy['limit'])),
          ...nameValue('intervalSec', amountOf(policy['intervalSec'])),
        },
      }
    : {};

function repeatOf(policy: Map | undefined): Pick<StepSettings, 'repeat'> {
  if (!policy) return {};
  const mode = (['until', 'while'] as const).find((one) => one === policy['repeat']);
  return {
    repeat: {
      ...nameValue('mode', mode),
      ...nameValue('limit', amountOf(policy['limit'])),
      ...nameValue('intervalSec', amountOf(policy['intervalSec'])),
    },
  };
}

function parallelOf(value: JsonValue): Pick<StepSettings, 'parallel'> {
  if (value === null || value === '') return {};
  const policy = mapOf(value);
  const items = policy ? policy['items'] : value;
  return {
    parallel: {
      ...(Array.isArray(items) && { items: items.length }),
      ...nameValue('atOnce', amountOf(policy?.['maxConcurrent'])),
    },
  };
}

function continuesOnError(value: JsonValue): boolean {
  const policy = mapOf(value);
  if (!policy) return typeof value === 'string' && value !== '';
  return Object.values(policy).some((one) => one !== false && one !== null);
}
