import { FileInput } from 'lucide-react';
import { useEffect, useState } from 'react';
import styles from '../new-workflow.module.css';
import { useOpenFiles } from './use-take-files.ts';

/** Marks an element that accepts dropped files itself. */
export const fileDropTarget = { 'data-takes-files': '' } as const;

/**
 * Opens files dropped anywhere in the window, and never runs them. Elements that accept files themselves are
 * excluded; editors that would only insert the file's text are not.
 */
export function WindowDropTarget() {
  const [isOver, setOver] = useState(false);
  const take = useOpenFiles();
  useEffect(() => listen(setOver, (files) => void take(files)), [take]);
  if (!isOver) return null;
  return (
    <div className={`${styles.dropHint} ${styles.dropWindow}`} role="status">
      <FileInput size={28} strokeWidth={1.5} aria-hidden="true" />
      <span>Drop to preview. Nothing will run.</span>
    </div>
  );
}

/**
 * Listens in the capture phase, because an editor inserts dropped files as text.
 * @returns a function that stops listening
 */
function listen(setOver: (isOver: boolean) => void, take: (files: readonly File[]) => void): () => void {
  const handlers: Readonly<Record<string, (event: DragEvent) => void>> = {
    dragenter: () => setOver(true),
    dragover: ({ dataTransfer }) => {
      dataTransfer!.dropEffect = 'copy';
    },
    // Leave events inside the window have a related target; those that leave it have none.
    dragleave: ({ relatedTarget }) => setOver(relatedTarget !== null),
    drop: ({ dataTransfer }) => {
      setOver(false);
      if (dataTransfer!.files.length > 0) take([...dataTransfer!.files]);
    },
  };
  const hear = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    if (event.target instanceof Element && event.target.closest('[data-takes-files]') !== null)
      return setOver(false);
    event.preventDefault();
    event.stopPropagation();
    handlers[event.type]!(event);
  };
  const types = ['dragenter', 'dragover', 'dragleave', 'drop'] as const;
  for (const type of types) window.addEventListener(type, hear, { capture: true });
  return () => {
    for (const type of types) window.removeEventListener(type, hear, { capture: true });
  };
}
