import { pluralize } from '../../../core/base/text.ts';
import type {
  DryFolderView,
  DryNamedValueView,
  DryValueView,
  DryActionView,
  DryConditionView,
  DryStepView,
} from '../../../core/contract/dry.ts';
import { kindNames } from '../../format/labels.ts';
import { stepIcons } from '../../graph/step-icon.ts';
import styles from './start.module.css';

/** A resolved string; parts that are known only at run time are marked. */
function DryValue({ value: { value, unresolved } }: { readonly value: DryValueView }) {
  if (unresolved === undefined)
    return value === '' ? <i className={styles.note}>empty</i> : <code>{value}</code>;
  return (
    <>
      <code className={styles.later}>{value}</code> <i className={styles.note}>known at run time</i>
    </>
  );
}

/** Names and values in two columns. */
export function DryValueList({ values }: { readonly values: readonly DryNamedValueView[] }) {
  return (
    <dl className={styles.values}>
      {values.map((each) => (
        <div key={each.name}>
          <dt>
            <code>{each.name}</code>
          </dt>
          <dd>
            <DryValue value={each} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface DryNamedValuesProps {
  readonly label: string;
  readonly values: readonly DryNamedValueView[];
}

/** A labeled list of names and values; renders nothing if it is empty. */
export function DryNamedValues({ label, values }: DryNamedValuesProps) {
  return (
    values.length > 0 && (
      <DryDetail label={label}>
        <DryValueList values={values} />
      </DryDetail>
    )
  );
}

/** A directory, and whether the run would create it. */
export function DryFolder({ folder }: { readonly folder: DryFolderView }) {
  return (
    <>
      <DryValue value={folder} />
      {folder.exists === false && <i className={styles.note}> created by the run</i>}
    </>
  );
}

interface DryFactProps {
  readonly label: string;
  readonly children: React.ReactNode;
}

/** A labeled part of a step or plan. */
export function DryDetail({ label, children }: DryFactProps) {
  return (
    <div className={styles.fact}>
      <span className={styles.label}>{label}</span>
      <div>{children}</div>
    </div>
  );
}

/** Number of items listed individually. */
const maxItemsShown = 20;

interface DryStepProps {
  readonly step: DryStepView;
  /** Default working directory, which is not shown. */
  readonly runDir: string;
  /** The plan of its sub-workflow. */
  readonly children?: React.ReactNode;
}

/** One step: its planned action with its values. */
export function DryStep({ step, runDir, children }: DryStepProps) {
  const { action, variables, env, dir, conditions, parallel, output, stdout, stderr, rules } = step;
  const kind = action.kind === 'executor' ? action.type : action.kind;
  const Icon = stepIcons[kind];
  return (
    <li className={styles.step}>
      <h4 dir="auto">
        <Icon size={14} role="img" aria-label={kindNames[kind]} />
        {step.name}
        {step.handler !== undefined && <i className={styles.note}>on {step.handler}</i>}
        {step.depends.length > 0 && <i className={styles.note}>after {step.depends.join(', ')}</i>}
      </h4>
      <Action action={action} />
      <DryNamedValues label="Variables" values={variables} />
      <DryNamedValues label="Environment" values={env} />
      {dir.value !== runDir && (
        <DryDetail label="Working directory">
          <DryFolder folder={dir} />
        </DryDetail>
      )}
      <DryConditions conditions={conditions} />
      {parallel && <Items parallel={parallel} />}
      {output !== undefined && (
        <DryDetail label="Output">
          <code>{output}</code>
        </DryDetail>
      )}
      {stdout && (
        <DryDetail label="stdout">
          <DryValue value={stdout} />
        </DryDetail>
      )}
      {stderr && (
        <DryDetail label="stderr">
          <DryValue value={stderr} />
        </DryDetail>
      )}
      <DryRules rules={rules} />
      {children}
    </li>
  );
}

function Action({ action }: { readonly action: DryActionView }) {
  switch (action.kind) {
    case 'command':
    case 'script':
      return <pre className={styles.text}>{action.text}</pre>;
    case 'argv':
      return (
        <p className={styles.words}>
          {action.argv.map((word, index) => (
            // The words of a command have no identity and keep their positions.
            <code key={index} data-later={word.unresolved !== undefined || undefined}>
              {word.value === '' ? '""' : word.value}
            </code>
          ))}
        </p>
      );
    case 'dag':
      return (
        <>
          <DryDetail label="Workflow">
            <code>{action.dag}</code>
          </DryDetail>
          {action.params.length > 0 && (
            <DryDetail label="Parameters">
              <DryValueList values={action.params} />
            </DryDetail>
          )}
        </>
      );
    case 'executor':
      return (
        <DryDetail label={action.type}>
          <DryValueList values={action.fields} />
        </DryDetail>
      );
  }
}

/** Conditions as written; they are not evaluated. */
export function DryConditions({ conditions }: { readonly conditions: readonly DryConditionView[] }) {
  if (conditions.length === 0) return null;
  return (
    <DryDetail label="Condition">
      {conditions.map((condition) => (
        <div key={JSON.stringify(condition)}>
          <code>{condition.written}</code>
          {condition.value && condition.value.value !== condition.written && (
            <>
              , which is <DryValue value={condition.value} />,
            </>
          )}{' '}
          {expectedText(condition)} <i className={styles.note}>not evaluated</i>
        </div>
      ))}
    </DryDetail>
  );
}

function expectedText({ kind, expected = '', negate }: DryConditionView): string {
  if (kind === 'command') return negate ? 'fails' : 'succeeds';
  return `is ${negate ? 'not ' : ''}"${expected}"`;
}

/** Retries, limits and similar rules, one sentence each. */
export function DryRules({ rules }: { readonly rules: readonly string[] }) {
  if (rules.length === 0) return null;
  return (
    <DryDetail label="Settings">
      {rules.map((rule) => (
        <div key={rule}>{rule}</div>
      ))}
    </DryDetail>
  );
}

function Items({ parallel }: { readonly parallel: NonNullable<DryStepView['parallel']> }) {
  const { maxConcurrent, expression, items } = parallel;
  const remaining = (items?.length ?? 0) - maxItemsShown;
  return (
    <DryDetail label="Items">
      {items === undefined ? 'Items' : pluralize(items.length, 'item')}, {maxConcurrent} at a time
      {expression && (
        <>
          {' '}
          of <DryValue value={expression} />
        </>
      )}
      <ol className={styles.items}>
        {items?.slice(0, maxItemsShown).map((item, index) => (
          // Items may be equal; their indexes distinguish them.
          <li key={index}>
            <DryValue value={item} />
          </li>
        ))}
      </ol>
      {remaining > 0 && <i className={styles.note}>and {remaining} more</i>}
    </DryDetail>
  );
}
