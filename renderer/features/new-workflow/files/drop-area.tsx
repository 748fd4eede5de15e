import { FileInput } from 'lucide-react';
import { useRef, useState } from 'react';
import styles from '../new-workflow.module.css';
import { takesFiles } from './window-drop.tsx';

interface DropAreaProps {
  /** What happens with files that are let go. */
  readonly hint: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: React.ReactNode;
}

const holdsFiles = ({ dataTransfer }: React.DragEvent): boolean => dataTransfer.types.includes('Files');

/** A part of the window on which files can be dropped; what else is dragged is left alone. */
export function DropArea({ hint, onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  // Elements inside are entered and left one by one.
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
      {...takesFiles}
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
