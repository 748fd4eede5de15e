import { Braces, RotateCcw, ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { pluralize } from '../../../core/base/text.ts';
import type { JsonValue } from '../../../core/base/json.ts';
import { IconButton } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { useEditorCommands } from '../run/editor-commands.ts';
import { usePanels } from '../session/panel-state.ts';
import type { FieldState } from '../../../core/edit/inspect.ts';
import { listNestedPaths } from './entry-rows.ts';
import { fitsWidget, Widget } from './widget.tsx';
import { FieldIssues } from './field-issues.tsx';
import {
  useForm,
  type Form,
  type RowProps,
  matchesFilter,
  FieldSearchContext,
  getValueText,
} from './form-context.ts';
import styles from './inspector.module.css';
import { configSpecs, specForStepType, acceptsCommand } from './config-widget.tsx';
import { type FieldSpec, primaryFields, sections, type Section, workflowFields } from './field-specs.ts';
import { getPathKey } from '../../../core/edit/outline.ts';

/** Widgets whose parts have their own labels; the label above names the group. */
const groups: ReadonlySet<string> = new Set([
  'texts',
  'pairs',
  'params',
  'secrets',
  'depends',
  'conditions',
  'form',
  'forms',
  'parallel',
  'schedule',
  'config',
  'steps',
  'handlers',
  'logins',
  'payloadParams',
  'flag',
]);

/** One field: label, widget, description and messages. */
export function FieldRow({ spec, path }: RowProps) {
  const form = useForm();
  const id = useId();
  const state = form.getState(path);
  const isMixed = form.isMixed(path);
  const rows = state && fitsWidget(spec, state.value) ? listNestedPaths(spec, state.value) : [];
  const faults = form.issuesAt(
    path,
    rows.map((row) => [...path, ...row]),
  );
  const help = getHelp(spec, state, isMixed);
  const described = [
    ...(help === '' ? [] : [`${id}help`]),
    ...(faults.length > 0 ? [`${id}fault`] : []),
  ].join(' ');
  const isGroup = groups.has(spec.widget) && (spec.widget !== 'form' || state !== undefined);
  return (
    <div
      className={styles.field}
      data-field={path.join('.')}
      data-set={state !== undefined || isMixed || undefined}
      data-current={form.current === getPathKey(path) || undefined}
      {...(isGroup && { role: 'group', 'aria-labelledby': `${id}label`, 'aria-describedby': described })}
    >
      <FieldHead spec={spec} path={path} id={id} isGroup={isGroup} />
      <Widget
        {...{ spec, path, state, isMixed, label: spec.label, example: spec.example, inputId: id }}
        describedBy={described === '' ? undefined : described}
        isInvalid={faults.some(({ severity }) => severity === 'error')}
      />
      <FieldIssues found={faults} id={`${id}fault`} />
      {help !== '' && (
        <p id={`${id}help`} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  );
}

/** One line of help: about several values, an inherited value, the chosen value, or else the field. */
function getHelp(spec: FieldSpec, state: FieldState | undefined, isMixed: boolean): React.ReactNode {
  if (isMixed) return 'Multiple values. A new value applies to all selected steps.';
  if (state?.origin)
    return (
      <>
        From <code>&amp;{state.origin.anchor}</code>, line {state.origin.line}. Editing overrides it here
        only.
      </>
    );
  const value = getValueText(state?.value);
  return spec.choices.find((choice) => choice.value === value)?.description ?? spec.description;
}

interface FieldHeadProps extends RowProps {
  readonly id: string;
  readonly isGroup: boolean;
}

/** The label, and the actions on the field. */
function FieldHead({ spec, path, id, isGroup }: FieldHeadProps) {
  const form = useForm();
  const state = form.getState(path);
  // A workflow without steps is invalid.
  const canReset = spec.widget !== 'steps';
  const isSet = canReset && ((state !== undefined && state.origin === undefined) || form.isMixed(path));
  return (
    <div className={styles.fieldHead}>
      {isGroup ? (
        <span id={`${id}label`} className={styles.label}>
          {spec.label}
        </span>
      ) : (
        <label id={`${id}label`} htmlFor={id} className={styles.label}>
          {spec.label}
        </label>
      )}
      {spec.name !== spec.label.toLowerCase() && <code className={styles.key}>{spec.name}</code>}
      <span className={styles.tools}>
        {state && (
          <IconButton
            size="small"
            icon={Braces}
            label={`Show ${spec.label} in YAML`}
            onPress={() => form.show(state)}
          />
        )}
        {isSet && (
          <IconButton
            size="small"
            icon={RotateCcw}
            label={`Reset ${spec.label}`}
            onPress={() => void reset(form, path, spec.label)}
          />
        )}
      </span>
    </div>
  );
}

async function reset(form: Form, path: RowProps['path'], label: string): Promise<void> {
  const words = `reset ${path.join('.')}`;
  const isDone = await form.edit(path, { kind: 'set', target: form.target, field: path }, words);
  if (isDone) form.say({ text: `${label} removed.`, undoes: words });
}

/** Fields of the workflow that match a search in the form of a step, those named like it first. */
function WorkflowMatches({ searchText }: { readonly searchText: string }) {
  const { editWorkflow } = useEditorCommands();
  const id = useId();
  const isNamed = ({ name, label }: FieldSpec): boolean =>
    `${name}\n${label}`.toLowerCase().includes(searchText);
  const found = sections.workflow
    .flatMap(({ title, fields }) => fields.map((field) => ({ title, field })))
    .filter(({ field }) => matchesFilter(field, searchText))
    .toSorted((left, right) => Number(isNamed(right.field)) - Number(isNamed(left.field)));
  if (found.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h3 id={id} className={styles.matchesTitle}>
        Workflow settings
      </h3>
      <ul className={styles.matches}>
        {found.map(({ title, field }) => (
          <li key={field.name}>
            <button type="button" onClick={() => editWorkflow(field.name)}>
              {field.label}
              <span>{title}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Fields that identify one step and cannot be set for several. */
const singular: ReadonlySet<string> = new Set(['name', 'id', 'depends']);

/** All fields of the target, by section. */
export function FormSections() {
  const { kind, target } = useForm();
  const [filter, setFilter] = useState('');
  const searchText = filter.trim().toLowerCase();
  const shown = sections[kind]
    .map((section) => ({
      ...section,
      fields: section.fields.filter(
        (field) => (target.length < 2 || !singular.has(field.name)) && matchesFilter(field, searchText),
      ),
    }))
    .filter(({ fields }) => fields.length > 0);
  const withWorkflow = kind === 'step' && workflowFields.some((field) => matchesFilter(field, searchText));
  return (
    <>
      <div className={styles.filter}>
        <SearchField label="Find a field" placeholder="Find a field" value={filter} onChange={setFilter} />
      </div>
      {shown.length === 0 && !withWorkflow && <p className={styles.note}>No matching fields</p>}
      <FieldSearchContext value={searchText}>
        {shown.map((section) => (
          <FormSection key={section.title} section={section} isFiltered={searchText !== ''} />
        ))}
      </FieldSearchContext>
      {kind === 'step' && searchText !== '' && <WorkflowMatches searchText={searchText} />}
    </>
  );
}

/** Whether a type has its own options; in a map of type and options they are inside it. */
const isExecutor = (type: JsonValue | undefined): boolean =>
  typeof type === 'string' && configSpecs(type) !== undefined;

/** Returns the field of the section that was requested last; it is shown even when not set. */
function useRequestedField({ fields }: Section, onRequest: () => void): string | undefined {
  const name = usePanels(({ wantsFocus }) => wantsFocus);
  const [requested, setRequested] = useState<string>();
  const next = fields.find((field) => field.name === name)?.name;
  if (next !== undefined && next !== requested) {
    setRequested(next);
    onRequest();
  }
  return next ?? requested;
}

/** Fields under one heading, which folds them. */
interface FormSectionProps {
  readonly section: Section;
  readonly isFiltered: boolean;
}

export function FormSection({ section, isFiltered }: FormSectionProps) {
  const form = useForm();
  const id = useId();
  const [toggled, setToggled] = useState<boolean>();
  const [withAll, setWithAll] = useState(false);
  const requested = useRequestedField(section, () => setToggled(undefined));
  const type = form.getState(['type'])?.value;
  const isThere = ({ name }: FieldSpec): boolean =>
    name === requested ||
    form.getState([name]) !== undefined ||
    (name === 'config' && isExecutor(type)) ||
    form.isMixed([name]) ||
    form.issuesAt([name], []).length > 0;
  const set = section.fields.filter(isThere).length;
  const isPrimary = ({ name }: FieldSpec): boolean =>
    primaryFields[form.kind].has(name) &&
    (name !== 'command' || typeof type !== 'string' || acceptsCommand(type));
  const isOpen = isFiltered || (toggled ?? (set > 0 || section.fields.some(isPrimary)));
  const visible = section.fields.filter(
    (field) => isFiltered || withAll || isThere(field) || (isPrimary(field) && form.target.length < 2),
  );
  // An open section without set fields cannot be collapsed.
  const listed = visible.length === 0 ? section.fields : visible;
  const hidden = section.fields.length - listed.length;
  const Mark = isOpen ? ChevronDown : ChevronRight;
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h3 id={id} className={styles.sectionTitle}>
        <button type="button" aria-expanded={isOpen} onClick={() => setToggled(!isOpen)}>
          <Mark size={16} aria-hidden="true" />
          {section.title}
          <span className={styles.count}>{isOpen ? '' : pluralize(section.fields.length, 'field')}</span>
        </button>
      </h3>
      {isOpen && (
        <div className={styles.fields}>
          {listed.map((field) => (
            <FieldRow key={field.name} spec={specForStepType(type, field)} path={[field.name]} />
          ))}
          {(hidden > 0 || withAll) && !isFiltered && (
            <button type="button" className={styles.more} onClick={() => setWithAll(!withAll)}>
              {withAll ? 'Show less' : `${hidden} more ${hidden === 1 ? 'field' : 'fields'}`}
            </button>
          )}
        </div>
      )}
    </section>
  );
}
