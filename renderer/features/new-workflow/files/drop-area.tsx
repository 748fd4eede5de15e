import { FileInput } from 'lucide-react';
import { useRef, useState } from 'react';
import styles from '../new-workflow.module.css';
import { fileDropTarget } from './window-drop.tsx';

interface DropAreaProps {
  /** The effect of dropping files. */
  readonly hint: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: React.ReactNode;
}

const holdsFiles = ({ dataTransfer }: React.DragEvent): boolean => dataTransfer.types.includes('Files');

/** A drop target for files; other drags are ignored. */
export function DropArea({ hint, onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  // Enter and leave events fire for each element inside.
  const depth = useRef(0);
  const change = (event: React.DragEvent, by: number): void => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  return (
    <div
      className={styles.dropArea}
      {...fileDropTarget}
      onDragEnter={(event) => change(event, 1)}
      onDragOver={(event) => change(event, 0)}
      onDragLeave={(event) => change(event, -1)}
      onDrop={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        if (event.dataTransfer.files.length > 0) onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {isOver && (
        <div className={styles.dropHint}>
          <FileInput size={28} strokeWidth={1.5} aria-hidden="true" />
          <span>{hint}</span>
        </div>
      )}
    </div>
  );
}
