import { Pencil, Plus, X } from 'lucide-react';
import { toNodeRef } from '../../../../../core/edit/outline/look-up.ts';
import { handlerNames } from '../../../../../core/model/workflow/handler-name.ts';
import { IconButton } from '../../../../ui/controls/icon-button.tsx';
import { useForm, type WidgetProps } from '../../form/form-context.ts';
import styles from '../../inspector.module.css';

/** Handlers of the workflow; each has its own form. */
export function HandlersWidget({ path }: WidgetProps) {
  const form = useForm();
  const handlers = form.outline?.handlers ?? [];
  const add = (handler: string): void =>
    void form.edit(
      path,
      { kind: 'set-handler', handler, step: { command: 'echo "The run has ended: ${DAG_RUN_STATUS}"' } },
      `add handler ${handler}`,
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
                  label={`Edit handler ${name}`}
                  onPress={() => form.session.select([toNodeRef(handler)], 'inspector')}
                />
                <IconButton
                  size="small"
                  icon={X}
                  label={`Remove handler ${name}`}
                  onPress={() => void remove(name)}
                />
              </>
            ) : (
              <IconButton size="small" icon={Plus} label={`Add handler ${name}`} onPress={() => add(name)} />
            )}
          </li>
        );
      })}
    </ul>
  );
}
