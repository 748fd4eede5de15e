import { Undo2 } from 'lucide-react';
import { Button } from '../../ui/controls/button.tsx';
import { useEditorSession, useSessionView } from '../session/use-session.ts';
import type { Said } from './form/form-context.ts';
import styles from './inspector.module.css';

/** What was done last: said by screen readers, and what was removed shown with the way to have it back. */
export function SaidLine({ said: { text, undoes } }: { readonly said: Said }) {
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
        <Button size="small" look="quiet" icon={Undo2} onPress={() => session.undo()}>
          Undo
        </Button>
      )}
    </div>
  );
}
