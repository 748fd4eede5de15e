import { CopyPlus, Trash2 } from 'lucide-react';
import { Button } from '../../ui/controls/button.tsx';
import { FieldIssues } from './form/field-issues.tsx';
import { useForm } from './form/form-context.ts';
import styles from './inspector.module.css';

/** Actions on all selected steps. */
export function BulkActions() {
  const form = useForm();
  const { target } = form;
  const remove = async (reconnect: boolean): Promise<void> => {
    const undoes = `delete ${target.length} steps`;
    if (await form.edit(['steps'], { kind: 'remove-steps', target, reconnect }, undoes))
      form.say({ text: `${target.length} steps deleted.`, undoes });
  };
  return (
    <div className={styles.bulk}>
      <p>{target.map(({ name }) => name).join(', ')}</p>
      <div className={styles.actions}>
        <Button
          size="small"
          icon={CopyPlus}
          onPress={() =>
            void form.edit(['steps'], { kind: 'duplicate-steps', target }, `duplicate ${target.length} steps`)
          }
        >
          Duplicate
        </Button>
        <Button size="small" variant="danger" icon={Trash2} onPress={() => void remove(false)}>
          Delete
        </Button>
        <Button size="small" icon={Trash2} onPress={() => void remove(true)}>
          Delete and reconnect
        </Button>
      </div>
      <FieldIssues found={form.issuesAt(['steps'], [])} />
      <p className={styles.note}>Changes apply to all selected steps.</p>
    </div>
  );
}
