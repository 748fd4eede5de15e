import { FolderOpen } from 'lucide-react';
import { useBridge } from '../../api/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { showError } from '../../ui/toasts.tsx';
import styles from './start.module.css';

interface FolderInputProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isRequired: boolean;
  readonly description?: string;
  readonly autoFocus: boolean;
}

/** A path of a folder. The desktop app offers the dialog of the system; a browser has no paths of the server. */
export function FolderInput({ description, ...field }: FolderInputProps) {
  const { desktop } = useBridge();
  const note = [description, describePath(field.value)].filter((text) => text !== undefined).join(' · ');
  const choose = async (): Promise<void> => {
    const { folder } = await desktop!.call('files.chooseFolder', { current: field.value });
    if (folder !== undefined) field.onChange(folder);
  };
  return (
    <div className={styles.folder}>
      <TextField {...field} description={note} />
      {desktop !== undefined && (
        <Button
          size="small"
          icon={FolderOpen}
          aria-label={`Choose ${field.label}`}
          onPress={() => void choose().catch(showError)}
        >
          Choose…
        </Button>
      )}
    </div>
  );
}

/** Where a path starts. Absolute paths and those that start with a variable say it themselves. */
function describePath(value: string): string | undefined {
  if (value.startsWith('~')) return '~ is not expanded here. Enter an absolute path.';
  if (/^(?:[/\\$%]|[A-Za-z]:[/\\])/.test(value)) return undefined;
  return value === ''
    ? 'Absolute path'
    : 'Relative to the workflow’s working folder, by default the folder of its file';
}
