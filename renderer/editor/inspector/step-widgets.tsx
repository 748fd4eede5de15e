import { X, Pencil, Plus, ExternalLink, LogIn } from 'lucide-react';
import { useState, useEffect } from 'react';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import { handlerNames } from '../../../core/model/workflow-rules.ts';
import { IconButton, Button } from '../../ui/button.tsx';
import { navigate, paths } from '../../navigation/address.ts';
import { useExternalNames } from '../code/reference-names.ts';
import { useSessionView } from '../session/panel-state.ts';
import { getValueText, useForm, type WidgetProps } from './form-context.ts';
import styles from './inspector.module.css';
import { Line } from './text-widgets.tsx';
import { toNodeRef } from '../../../core/edit/outline.ts';
import { checkConnection } from '../../../core/edit/steps/check-connection.ts';

/** Number of steps listed at once; search finds the others. */
const maxShown = 30;

/** The dependencies of the step, to remove and add. */
export function DependsWidget({ path, state, label }: WidgetProps) {
  const form = useForm();
  const [step] = form.target;
  const value = state?.value ?? null;
  const names = (Array.isArray(value) ? value : value === null ? [] : [value]).map((item) =>
    getValueText(item),
  );
  const steps = form.outline?.steps ?? [];
  const remove = async (name: string, index: number): Promise<void> => {
    const source = steps.find((each) => each.name === name || each.id === name);
    const undoes = `disconnect ${name}`;
    const field = Array.isArray(value) && value.length > 1 ? [...path, index] : path;
    const isDone = await form.edit(
      path,
      source && step
        ? { kind: 'disconnect', source: toNodeRef(source), step }
        : { kind: 'set', target: form.target, field },
      undoes,
    );
    if (isDone) form.say({ text: `Dependency on ${name} removed.`, undoes });
  };
  return (
    <>
      {names.length > 0 && (
        <ul className={styles.chips} aria-label={label}>
          {names.map((name, index) => (
            <li key={name} className={styles.chip}>
              <bdi>{name}</bdi>
              <IconButton
                size="small"
                icon={X}
                label={`Remove dependency ${name}`}
                onPress={() => void remove(name, index)}
              />
            </li>
          ))}
        </ul>
      )}
      {step?.section === 'step' && <StepChoice path={path} step={step} />}
    </>
  );
}

/** Steps to depend on; those that cannot be chosen show the reason. */
function StepChoice({ path, step }: { readonly path: WidgetProps['path']; readonly step: NodeRef }) {
  const form = useForm();
  const { outline } = form;
  const [search, setSearch] = useState<string>();
  const searchText = search?.trim().toLowerCase() ?? '';
  const found =
    search === undefined || !outline
      ? []
      : outline.steps
          .filter(({ name }) => name !== step.name && name.toLowerCase().includes(searchText))
          .slice(0, maxShown)
          .map((source) => ({
            source: toNodeRef(source),
            error: checkConnection(outline, toNodeRef(source), step),
          }));
  const close = (event: React.FocusEvent): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) setSearch(undefined);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles keys that bubble from its field
    <div
      role="group"
      aria-label="Dependencies"
      onBlur={close}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setSearch(undefined);
      }}
    >
      <input
        className={styles.input}
        aria-label="Add dependency"
        placeholder="Add dependency"
        value={search ?? ''}
        onFocus={() => setSearch((now) => now ?? '')}
        onChange={(event) => setSearch(event.target.value)}
      />
      {found.length > 0 && (
        <ul className={styles.options} aria-label="Steps">
          {found.map(({ source, error }) => (
            <li key={source.name}>
              <button
                type="button"
                aria-disabled={error !== undefined}
                onClick={() => {
                  if (error) return;
                  void form.edit(path, { kind: 'connect', source, step }, `connect ${source.name}`);
                  setSearch(undefined);
                }}
              >
                <bdi>{source.name}</bdi>
                {error && <small>{error.reason}</small>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Handlers of the workflow; each has its own form. */
export function HandlersWidget({ path }: WidgetProps) {
  const form = useForm();
  const handlers = form.outline?.handlers ?? [];
  const add = (handler: string): void =>
    void form.edit(
      path,
      {
        kind: 'set-handler',
        handler,
        step: { value: { command: 'echo "The run has ended: ${DAG_RUN_STATUS}"' } },
      },
      `add ${handler} handler`,
    );
  const remove = async (name: string): Promise<void> => {
    const undoes = `remove handler ${name}`;
    if (await form.edit(path, { kind: 'remove-handler', handler: name }, undoes))
      form.say({ text: `Handler ${name} removed.`, undoes });
  };
  return (
    <ul className={styles.rows}>
      {handlerNames.map((name) => {
        const handler = handlers.find((each) => each.name === name);
        return (
          <li key={name} className={styles.row}>
            <span className={styles.kind}>{name}</span>
            <code className={styles.detail}>{handler?.detail ?? ''}</code>
            {handler ? (
              <>
                <IconButton
                  size="small"
                  icon={Pencil}
                  label={`Edit ${name} handler`}
                  onPress={() => form.session.select([toNodeRef(handler)], 'inspector')}
                />
                <IconButton
                  size="small"
                  icon={X}
                  label={`Remove ${name} handler`}
                  onPress={() => void remove(name)}
                />
              </>
            ) : (
              <IconButton size="small" icon={Plus} label={`Add ${name} handler`} onPress={() => add(name)} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/**
 * The sub-workflow of a step, with a list of workflows of the file and the home directory, and a link to it.
 */
export function RunWidget(props: WidgetProps) {
  const form = useForm();
  const name = getValueText(props.state?.value).trim();
  const documents = useSessionView((view) => view.outlined?.outline.documents) ?? [];
  const others = documents.slice(1).flatMap((one) => (one.name === undefined ? [] : [one.name]));
  const outside = useNames();
  const listId = `${props.inputId}names`;
  const inside = documents.find((one, documentIndex) => documentIndex > 0 && one.name === name);
  return (
    <>
      <Line {...props} listId={listId} toValue={(text) => (text === '' ? undefined : text)} />
      <datalist id={listId}>
        {[...new Set([...others, ...outside])].map((each) => (
          <option key={each} value={each}>
            {others.includes(each) ? 'in this file' : undefined}
          </option>
        ))}
      </datalist>
      {inside && (
        <div className={styles.actions}>
          <Button
            size="small"
            variant="quiet"
            icon={LogIn}
            onPress={() => form.session.selectWorkflow(inside.index, 'inspector')}
          >
            Edit {name} in this file
          </Button>
        </div>
      )}
      {!inside && outside.includes(name) && (
        <div className={styles.actions}>
          <Button
            size="small"
            variant="quiet"
            icon={ExternalLink}
            onPress={() => navigate(paths.editor(name))}
          >
            Edit {name}
          </Button>
        </div>
      )}
    </>
  );
}

/** Returns the workflows of the home directory; empty while loading. */
function useNames(): readonly string[] {
  const ask = useExternalNames();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void ask().then(({ workflows }) => isCurrent && setNames(workflows));
    return () => {
      isCurrent = false;
    };
  }, [ask]);
  return names;
}

const maxStepsShown = 12;

/** The steps, each with a link to its form. */
export function StepsWidget() {
  const { outline, session } = useForm();
  const steps = outline?.steps ?? [];
  return (
    <>
      <ul className={styles.chips}>
        {steps.slice(0, maxStepsShown).map((step) => (
          <li key={step.name}>
            <button
              type="button"
              className={styles.more}
              onClick={() => session.select([toNodeRef(step)], 'inspector')}
            >
              {step.name}
            </button>
          </li>
        ))}
      </ul>
      {steps.length > maxStepsShown && (
        <p className={styles.note}>
          {steps.length - maxStepsShown} more steps in the outline and on the canvas.
        </p>
      )}
    </>
  );
}
