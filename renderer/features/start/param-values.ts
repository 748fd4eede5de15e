import type { JsonObject } from '../../../core/base/json.ts';
import type { ParamField, ParamForm } from '../../../core/model/param-form.ts';
import type { Parameter, Workflow } from '../../../core/model/workflow.ts';
import { lacksValue, listParamFields } from '../../../core/spec/param-form.ts';
import { formatParamText, isParamName } from '../../../core/spec/params.ts';
import { hasReference } from '../../../core/spec/parse-template.ts';

/** Values of a form, by parameter name. */
export type ParamValues = Readonly<Record<string, string>>;

/** Whether a run of the workflow takes values. */
export const hasParams = (workflow: Pick<Workflow, 'params' | 'paramSchema'> | undefined): boolean =>
  workflow !== undefined && (workflow.params.length > 0 || workflow.paramSchema !== undefined);

/**
 * Returns the form of a workflow that may not be saved.
 * @param served the form of the saved file, for a schema that only the engine can read
 */
export function toParamForm({ params, paramSchema }: Workflow, served?: ParamForm): ParamForm {
  if (typeof paramSchema === 'string') return served ?? { fields: listParamFields(params) };
  return { fields: listParamFields(params, paramSchema as JsonObject | undefined) };
}

/** Whether a run with the defaults would be rejected, because a required value has none. */
export const needsValues = ({ fields }: ParamForm): boolean => fields.some(lacksValue);

/** A default whose value is only known when the run starts. */
export const isComputed = ({ default: written = '' }: ParamField): boolean => hasReference(written);

/** Initial values of a form: the defaults, replaced by known values. */
export function startValues({ fields }: ParamForm, known: readonly Parameter[] | ParamValues): ParamValues {
  const values = isList(known) ? Object.fromEntries(known.map(({ name, value }) => [name, value])) : known;
  return Object.fromEntries(
    fields.map((field) => {
      // A switch shows "off", so that is what the run gets.
      const off = field.type === 'boolean' && field.required ? 'false' : '';
      return [field.name, values[field.name] ?? field.default ?? off];
    }),
  );
}

const isList = (known: readonly Parameter[] | ParamValues): known is readonly Parameter[] =>
  Array.isArray(known);

const mask = '*******';

/** Returns the values of an earlier run that differ from the shown ones; secrets are not offered again. */
export function findOtherValues(
  { fields }: ParamForm,
  earlier: readonly Parameter[],
  shown: ParamValues,
): ParamValues {
  const offered = new Set(fields.filter(({ format }) => format !== 'password').map(({ name }) => name));
  return Object.fromEntries(
    earlier
      .filter(
        ({ name, value }) => offered.has(name) && !value.includes(mask) && value !== (shown[name] ?? ''),
      )
      .map(({ name, value }) => [name, value]),
  );
}

/**
 * Formats the parameters of a run, as after `--params` on the command line. Unchanged values are omitted, so
 * that computed defaults are still computed at run time.
 */
export const formatParams = (fields: readonly ParamField[], values: ParamValues): string =>
  formatParamText(listChanged(fields, values));

/** Returns a changed parameter whose name cannot be written in this format, if any. */
export const findUnencodableParam = (
  fields: readonly ParamField[],
  values: ParamValues,
): Parameter | undefined => listChanged(fields, values).find(({ name }) => !isParamName(name));

const listChanged = (fields: readonly ParamField[], values: ParamValues): Parameter[] =>
  fields
    .map(({ name, default: before = '' }) => ({ name, value: values[name] ?? before, before }))
    .filter(({ value, before }) => value !== before);
