import { useEffect, useRef } from 'react';
import { useEditorSession } from '../session/use-session.ts';
import { useEditorCommands } from '../page/editor-commands.ts';
import { useOutsideNames } from '../page/opening/use-outside-names.ts';
import { useTestLoopContext } from '../run/use-test-loop.ts';
import { codeExtensions } from './code-extensions.ts';
import styles from './code.module.css';

/** The code editor of the file. */
export function CodePane() {
  const session = useEditorSession();
  const commands = useEditorCommands();
  const names = useOutsideNames();
  const { outputs } = useTestLoopContext();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const editor = session.openEditor(box.current!, codeExtensions(session, { ...commands, names, outputs }));
    return () => session.closeEditor(editor);
  }, [session, commands, names, outputs]);
  return (
    <section className={styles.pane} aria-label="Code">
      <p id="code-keys" className="visually-hidden">
        Press Tab to indent, or Escape then Tab to leave the editor. F8: next problem. Ctrl+Space:
        suggestions. F2: rename step. Ctrl+Shift+O: go to step.
      </p>
      <div ref={box} className={styles.editor} />
    </section>
  );
}
