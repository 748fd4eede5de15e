import { X } from 'lucide-react';
import { useState } from 'react';
import type { NodeRef } from '../../../../../core/edit/edit-result.ts';
import { toNodeRef } from '../../../../../core/edit/outline/look-up.ts';
import { checkConnection } from '../../../../../core/edit/steps/wiring/check-connection.ts';
import { IconButton } from '../../../../ui/controls/icon-button.tsx';
import { textOfValue, useForm, type WidgetProps } from '../../form/form-context.ts';
import styles from '../../inspector.module.css';

/** Number of steps that the list shows at once; search finds the others. */
const maxShown = 30;

/** The dependencies of the step, to remove and add. */
export function DependsWidget({ path, state, label }: WidgetProps) {
  const form = useForm();
  const [step] = form.target;
  const value = state?.value ?? null;
  const names = (Array.isArray(value) ? value : value === null ? [] : [value]).map((item) =>
    textOfValue(item),
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
            refusal: checkConnection(outline, toNodeRef(source), step),
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
          {found.map(({ source, refusal: error }) => (
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
