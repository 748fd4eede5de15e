import { useQuery } from '@tanstack/react-query';
import type { ParamField } from '../../../core/model/param-form.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { useBridge } from '../../api/bridge.ts';
import { ParamInput } from '../start/param-input.tsx';
import { startValues, toParamForm, type ParamValues } from '../start/param-values.ts';
import type { NewWorkflowInputs, Template } from './proposals.ts';
import styles from './sources.module.css';

/** The parameters of a template, whose values become the defaults of the new workflow. */
export interface TemplateForm {
  readonly fields: readonly ParamField[];
  /** By parameter name. */
  readonly values: ParamValues;
  /** Why a scheduled run would be rejected; undefined if it would not. */
  readonly missing: string | undefined;
}

/** Null for a field that was emptied and needs a value. */
type TemplateValues = NewWorkflowInputs['templateValues'];

/** Returns the form of a template; undefined until the engine has read it. */
export function useTemplateForm(
  template: Template | undefined,
  values: TemplateValues,
): TemplateForm | undefined {
  const bridge = useBridge();
  const { data } = useQuery({
    queryKey: ['template', template?.id],
    queryFn: () => bridge.call('dags.validate', { spec: template!.text }),
    enabled: template !== undefined,
    staleTime: Infinity,
  });
  return template === undefined || data?.dag === undefined ? undefined : toTemplateForm(data.dag, values);
}

function toTemplateForm(workflow: Workflow, values: TemplateValues): TemplateForm {
  const form = toParamForm(workflow);
  const entered = Object.entries(values).map(([name, value]) => [name, String(value ?? '')]);
  const shown = startValues(form, Object.fromEntries(entered) as ParamValues);
  const empty = form.fields.find(({ name, required }) => required && (shown[name] ?? '') === '');
  const isScheduled = workflow.schedule.start.length > 0;
  return {
    fields: form.fields,
    values: shown,
    missing: isScheduled && empty ? `Enter a value for ${empty.title ?? empty.name}.` : undefined,
  };
}

/** Returns a value as its type in the file; null if a field that needs a value is empty. */
function toValue({ type, required }: ParamField, text: string): TemplateValues[string] {
  if (type === 'boolean') return text === 'true';
  const isNumber = type === 'integer' || type === 'number';
  if (text === '') return required || isNumber ? null : text;
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
}

interface TemplateParamsProps {
  readonly form: TemplateForm;
  /** Receives the changed value. */
  readonly onChange: (values: TemplateValues) => void;
}

/** Fields for the parameters of a template. */
export function TemplateParams({ form: { fields, values }, onChange }: TemplateParamsProps) {
  if (fields.length === 0) return null;
  return (
    <div className={styles.params} role="group" aria-label="Parameters">
      {fields.map((field) => (
        <ParamInput
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onChange={(text) => onChange({ [field.name]: toValue(field, text) })}
          locked={undefined}
          autoFocus={false}
        />
      ))}
    </div>
  );
}
