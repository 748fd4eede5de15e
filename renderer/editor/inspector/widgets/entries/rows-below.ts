import type { JsonValue } from '../../../../../core/base/json.ts';
import type { AuthoredPath } from '../../../../../core/edit/outline.ts';
import { scheduleKinds } from '../../../../../core/model/run/fire-time.ts';
import type { FieldSpec } from '../../form/field-specs.ts';
import { readPairs } from '../pairs/read-pairs.ts';

/** Whether parameters consist of a schema and defaults, decided by the value of `schema` as in the engine. */
export const isSchemaOfParams = (value: JsonValue | undefined): boolean =>
  isMap(value) && ['string', 'object'].includes(typeof value['schema']) && value['schema'] !== null;

const isMap = (value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } =>
  value !== undefined && value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * Lists the paths of the entries and fields that the widget of a field shows with their own messages. Other
 * messages below the field are shown at the field.
 */
export function listNestedPaths(spec: FieldSpec, value: JsonValue | undefined): readonly AuthoredPath[] {
  switch (spec.widget) {
    case 'form':
    case 'forms':
    case 'parallel':
      return isMap(value) ? spec.fields.map(({ name }) => [name]) : listItems(value);
    case 'params':
      return isSchemaOfParams(value) ? spec.fields.map(({ name }) => [name]) : listPairs(value);
    case 'pairs':
      return listPairs(value);
    case 'texts':
    case 'code':
    case 'secrets':
    case 'conditions':
      return listItems(value);
    case 'logins':
    case 'payloadParams':
      return isMap(value) ? Object.keys(value).map((host) => [host]) : [];
    case 'schedule':
      return isMap(value)
        ? scheduleKinds.flatMap((kind) =>
            listItems(value[kind]).map((schedulePath) => [kind, ...schedulePath]),
          )
        : listItems(value);
    default:
      return [];
  }
}

const listItems = (value: JsonValue | undefined): readonly AuthoredPath[] =>
  Array.isArray(value) ? value.map((_, index) => [index]) : [];

const listPairs = (value: JsonValue | undefined): readonly AuthoredPath[] =>
  readPairs(value ?? null).map(({ path }) => path);
