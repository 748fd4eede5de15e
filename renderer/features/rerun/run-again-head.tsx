import { Segmented } from '../../ui/controls/segmented.tsx';
import styles from './rerun.module.css';

/** The text of the run, or the current file. */
export type SpecChoice = 'original' | 'latest';
/** The tab of the dialog. */
export type RunAgainTab = 'params' | 'changes' | 'check';

interface RunAgainHeaderProps {
  /** The file has changed since the run. */
  readonly differs: boolean;
  readonly text: SpecChoice;
  readonly shown: RunAgainTab;
  readonly onText: (text: SpecChoice) => void;
  readonly onShow: (shown: RunAgainTab) => void;
}

/** Chooses which text to run, and what to preview. */
export function RunAgainHeader({ differs, text, shown, onText, onShow }: RunAgainHeaderProps) {
  return (
    <div className={styles.scope}>
      {differs && (
        <Segmented
          label="Version"
          value={text}
          choices={[
            { value: 'latest', label: 'Current file' },
            { value: 'original', label: 'Version of this run' },
          ]}
          onChange={onText}
        />
      )}
      <Segmented
        label="View"
        value={shown}
        choices={[
          { value: 'params', label: 'Parameters' },
          ...(differs ? [{ value: 'changes' as const, label: 'Changes' }] : []),
          { value: 'check', label: 'Dry run' },
        ]}
        onChange={onShow}
      />
    </div>
  );
}
