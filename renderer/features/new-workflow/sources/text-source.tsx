import { FileUp, X } from 'lucide-react';
import { FileTrigger } from 'react-aria-components';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { MultilineField } from '../../../ui/controls/text-box.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { preserveLineBreaks, emptySource, readTextFile, type SourceText } from '../files/text-file.ts';
import styles from './sources.module.css';

interface TextSourceProps {
  readonly label: string;
  readonly placeholder: string;
  readonly source: SourceText;
  readonly onChange: (source: SourceText) => void;
}

/** A text from a file, pasted or typed. */
export function TextSource({ label, placeholder, source, onChange }: TextSourceProps) {
  const choose = async (files: FileList | null): Promise<void> => {
    const file = files?.[0];
    if (!file) return;
    const read = await readTextFile(file);
    if (read.ok) onChange(read.value);
    else showToast('error', read.error);
  };
  return (
    <div className={styles.textSource}>
      <div className={styles.fileLine}>
        <FileTrigger onSelect={(files) => void choose(files)}>
          <Button icon={FileUp} size="small">
            Choose file…
          </Button>
        </FileTrigger>
        <span className={styles.fileHint}>
          {source.fileName === '' ? 'or drop it here, or paste below' : <code>{source.fileName}</code>}
        </span>
        {source.text !== '' && (
          <IconButton label="Clear" icon={X} size="small" onPress={() => onChange(emptySource)} />
        )}
      </div>
      <MultilineField
        label={label}
        placeholder={placeholder}
        text={source.text}
        onChange={(edited) => onChange({ ...source, text: preserveLineBreaks(source.text, edited) })}
      />
    </div>
  );
}
