import { useEffect, useRef } from 'react';
import { useEditorSession } from '../session/use-session.ts';
import { codeExtensions } from './code-extensions.ts';
import styles from './code.module.css';

/** The text of the file as code: the document itself, shown and edited as it is. */
export function CodePane() {
  const session = useEditorSession();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const editor = session.openEditor(box.current!, codeExtensions(session));
    return () => session.closeEditor(editor);
  }, [session]);
  return (
    <section className={styles.pane} aria-label="Code">
      <p id="code-keys" className="visually-hidden">
        Tab indents. To leave the editor with Tab, press Escape first. F8 goes to the next problem, Control
        and Space completes, F2 renames the step at the cursor, Control, Shift and O lists the steps.
      </p>
      <div ref={box} className={styles.editor} />
    </section>
  );
}
