import { useState } from 'react';
import { useCanvasActions } from '../../commands/canvas-actions.ts';
import type { CanvasNode } from '../../model/canvas-graph.ts';
import { useCanvasStore } from '../../state/canvas-store.ts';
import styles from '../../canvas.module.css';

/** Edits the name of a step on its card: Enter applies, Escape cancels. */
export function NameField({ node }: { readonly node: CanvasNode }) {
  const store = useCanvasStore();
  const { rename, focusCard } = useCanvasActions();
  const [name, setName] = useState(node.name);
  const [error, setRefusal] = useState<string>();
  const close = (): void => {
    store.setState({ renaming: undefined });
    focusCard(store.getState().current ?? node.id);
  };
  const take = (): void => {
    const newName = name.trim();
    if (newName === '' || newName === node.name) return close();
    const done = rename(node.ref, newName);
    if (done.ok) close();
    else setRefusal(done.reason);
  };
  return (
    <span className={`${styles.nameField} nodrag nopan`}>
      <input
        autoFocus
        aria-label={`New name of ${node.name}`}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : 'name-refusal'}
        value={name}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setName(event.target.value);
          setRefusal(undefined);
        }}
        onBlur={() => store.setState({ renaming: undefined })}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') take();
          else if (event.key === 'Escape') close();
        }}
      />
      {error !== undefined && (
        <span id="name-refusal" role="alert" className={styles.nameRefusal}>
          {error}
        </span>
      )}
    </span>
  );
}
