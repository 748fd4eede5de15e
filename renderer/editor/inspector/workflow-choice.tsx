import { useId } from 'react';
import { NativeSelect } from '../../ui/controls/native-select.tsx';
import { useEditorSession, useSessionView } from '../session/use-session.ts';
import styles from './inspector.module.css';

const main = 'main';

/** Selects the workflow of the file that the form shows; renders nothing if there is only one. */
export function WorkflowChoice({ document }: { readonly document: number | undefined }) {
  const session = useEditorSession();
  const id = useId();
  const documents = useSessionView((view) => view.outlined?.outline.documents);
  if (documents === undefined || documents.length < 2) return null;
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>Workflow</label>
      <NativeSelect
        id={id}
        isField
        value={document ?? main}
        onChange={({ target: { value } }) =>
          session.selectWorkflow(value === main ? undefined : Number(value), 'inspector')
        }
      >
        {documents.map(({ index, name }, documentIndex) => (
          <option key={index} value={documentIndex === 0 ? main : index}>
            {name ?? (documentIndex === 0 ? session.fileName : `Workflow ${index + 1}`)}
          </option>
        ))}
      </NativeSelect>
    </div>
  );
}
