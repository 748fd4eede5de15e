import { useMemo, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { useQuery } from '@tanstack/react-query';
import type { ParamField } from '../../../core/model/param-form.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { SearchField } from '../../ui/fields.tsx';
import controls from '../../ui/controls.module.css';
import { Notice } from '../../ui/state.tsx';
import { useBridge } from '../../api/bridge.ts';
import { ParamInput } from '../start/param-input.tsx';
import { startValues, toParamForm, type ParamValues } from '../start/param-values.ts';
import { findTemplates, templates, type NewWorkflowInputs, type Template } from './proposals.ts';
import styles from './new-workflow.module.css';
import { NameField, JobList } from './job-list.tsx';
import { CrontabSource, MakefileSource, ShellSource, TextSource } from './text-sources.tsx';
import type { NewWorkflow } from './use-new-workflow.ts';
import type { SourceKind } from './new-workflow-button.tsx';

interface TemplateSourceProps {
  /** Id of the selected template. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** The bundled templates. */
function TemplateSource({ value, onChange }: TemplateSourceProps) {
  const [words, setWords] = useState('');
  const matches = useMemo(() => findTemplates(templates, words), [words]);
  return (
    <>
      <SearchField
        label="Search templates"
        placeholder={`Search ${templates.length} templates`}
        value={words}
        onChange={setWords}
      />
      <ListBox
        aria-label="Templates"
        className={styles.cards}
        items={matches}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[value]}
        onSelectionChange={(keys) => {
          const id = keys === 'all' ? undefined : keys.values().next().value;
          if (id !== undefined) onChange(String(id));
        }}
        renderEmptyState={() => <p className={styles.none}>No matching templates</p>}
      >
        {({ id, title, description, tags }) => (
          <ListBoxItem id={id} textValue={title} className={styles.card}>
            <div className={styles.cardHead}>
              <span>{title}</span>
              <span className={controls.tags}>
                {tags.map((tag) => (
                  <span key={tag} className={controls.tag}>
                    {tag}
                  </span>
                ))}
              </span>
            </div>
            <span className={styles.cardText}>{description}</span>
          </ListBoxItem>
        )}
      </ListBox>
    </>
  );
}

interface SourcePaneProps {
  readonly way: SourceKind;
  readonly model: NewWorkflow;
  readonly onSubmit: () => void;
}

/** The source and the name of the workflow. */
export function SourcePane({ way, model, onSubmit }: SourcePaneProps) {
  const { candidates, shown, rename } = model;
  const outcome = way === 'crontab' ? undefined : shown?.outcome;
  return (
    <form
      className={styles.source}
      aria-label="Source"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {way !== 'crontab' && (
        <NameField
          label="Name"
          value={candidates[0]?.name ?? ''}
          error={shouldAnnounce(model) ? candidates[0]?.nameError : undefined}
          description="File name, without .yaml"
          isReadOnly={candidates.length === 0}
          autoFocus={way === 'blank'}
          onChange={(name) => rename(0, name)}
        />
      )}
      {outcome?.ok === false && <Notice tone="error">{outcome.reason}</Notice>}
      <Source way={way} model={model} />
    </form>
  );
}

/** An untouched empty name is not shown as an error. */
const shouldAnnounce = ({ candidates, typed }: NewWorkflow): boolean =>
  candidates[0]?.name !== '' || typed.has(0);

function Source({ way, model }: Pick<SourcePaneProps, 'way' | 'model'>) {
  const { requests, change } = model;
  switch (way) {
    case 'blank':
      return null;
    case 'template':
      return (
        <TemplateSource
          value={requests.template}
          onChange={(template) => change({ template, templateValues: {} })}
        />
      );
    case 'shell':
      return <ShellSource value={requests.shell} onChange={(shell) => change({ shell })} />;
    case 'makefile':
      return <MakefileSource value={requests.makefile} onChange={(makefile) => change({ makefile })} />;
    case 'yaml':
      return (
        <TextSource
          label="Workflow file"
          placeholder={'steps:\n  - name: greet\n    command: echo "Hello"'}
          source={requests.yaml}
          onChange={(yaml) => change({ yaml })}
        />
      );
    case 'crontab':
      return (
        <CrontabSource
          value={requests.crontab}
          onChange={(crontab) => change({ crontab })}
          collisions={model.proposal.collisions ?? []}
        >
          {model.candidates.length > 0 && (
            <JobList
              jobs={model.candidates}
              shown={model.shown?.index ?? 0}
              onShow={model.show}
              onName={model.rename}
              onChoose={model.choose}
            />
          )}
        </CrontabSource>
      );
  }
}

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
