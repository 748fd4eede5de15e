import { Undo2 } from 'lucide-react';
import { Button } from '../../ui/controls/button.tsx';
import { useEditorSession, useSessionView } from '../session/use-session.ts';
import type { FieldMessage } from './form/form-context.ts';
import styles from './inspector.module.css';

/** The last action, announced by screen readers; after a removal, with an undo button. */
export function FieldMessageLine({ said: { text, undoes } }: { readonly said: FieldMessage }) {
  const session = useEditorSession();
  const undo = useSessionView((view) => view.undo);
  const isShown = undoes !== undefined && undo === undoes;
  return (
    <div className={isShown ? styles.said : undefined}>
      <p role="status" className={isShown ? undefined : 'visually-hidden'}>
        {text}
        {isShown && <span className="visually-hidden"> Press Ctrl+Z to undo.</span>}
      </p>
      {isShown && (
        <Button size="small" variant="quiet" icon={Undo2} onPress={() => session.undo()}>
          Undo
        </Button>
      )}
    </div>
  );
}
