import { Braces, RotateCcw } from 'lucide-react';
import { useId } from 'react';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { keyOfPath } from '../reading/field-state.ts';
import { listNestedPaths } from '../widgets/entries/rows-below.ts';
import { fitsWidget, Widget } from '../widgets/widget.tsx';
import { FieldIssues } from './field-issues.tsx';
import { useForm, type Form, type RowProps } from './form-context.ts';
import styles from '../inspector.module.css';

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
  const state = form.stateOf(path);
  const isMixed = form.isMixed(path);
  const rows = state && fitsWidget(spec, state.value) ? listNestedPaths(spec, state.value) : [];
  const faults = form.issuesAt(
    path,
    rows.map((row) => [...path, ...row]),
  );
  const described = [
    ...(spec.description === '' ? [] : [`${id}help`]),
    ...(faults.length > 0 ? [`${id}fault`] : []),
    ...(state?.origin ? [`${id}origin`] : []),
  ].join(' ');
  const isGroup = groups.has(spec.widget) && (spec.widget !== 'form' || state !== undefined);
  return (
    <div
      className={styles.field}
      data-field={path.join('.')}
      data-set={state !== undefined || isMixed || undefined}
      data-current={form.current === keyOfPath(path) || undefined}
      {...(isGroup && { role: 'group', 'aria-labelledby': `${id}label`, 'aria-describedby': described })}
    >
      <FieldHead spec={spec} path={path} id={id} isGroup={isGroup} />
      <Widget
        {...{ spec, path, state, isMixed, label: spec.label, example: spec.example, inputId: id }}
        describedBy={described === '' ? undefined : described}
        isInvalid={faults.some(({ severity }) => severity === 'error')}
      />
      {isMixed && <p className={styles.note}>Multiple values. A new value applies to all selected steps.</p>}
      {state?.origin && (
        <p id={`${id}origin`} className={styles.note}>
          From <code>&amp;{state.origin.anchor}</code>, line {state.origin.line}. Editing overrides it here
          only.
        </p>
      )}
      <FieldIssues found={faults} id={`${id}fault`} />
      {spec.description !== '' && (
        <p id={`${id}help`} className={styles.help}>
          {spec.description}
        </p>
      )}
    </div>
  );
}

interface FieldHeadProps extends RowProps {
  readonly id: string;
  readonly isGroup: boolean;
}

/** The label, and the actions on the field. */
function FieldHead({ spec, path, id, isGroup }: FieldHeadProps) {
  const form = useForm();
  const state = form.stateOf(path);
  // A workflow without steps is invalid.
  const canReset = spec.widget !== 'steps';
  const isOwn = canReset && ((state !== undefined && state.origin === undefined) || form.isMixed(path));
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
        {isOwn && (
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
