import { Segmented } from '../../ui/controls/segmented.tsx';
import styles from './rerun.module.css';

/** The text of the run, or the file as it is now. */
export type SpecChoice = 'original' | 'latest';
/** What the dialog shows. */
export type Shown = 'params' | 'changes' | 'check';

interface RunAgainHeadProps {
  /** The file has changed since the run. */
  readonly differs: boolean;
  readonly text: SpecChoice;
  readonly shown: Shown;
  readonly onText: (text: SpecChoice) => void;
  readonly onShow: (shown: Shown) => void;
}

/** Which text is to be run, and what is looked at before. */
export function RunAgainHead({ differs, text, shown, onText, onShow }: RunAgainHeadProps) {
  return (
    <div className={styles.scope}>
      {differs && (
        <Segmented
          label="Which text"
          value={text}
          choices={[
            { value: 'latest', label: 'File as it is now' },
            { value: 'original', label: 'Text of this run' },
          ]}
          onChange={onText}
        />
      )}
      <Segmented
        label="What is shown"
        value={shown}
        choices={[
          { value: 'params', label: 'Parameters' },
          ...(differs ? [{ value: 'changes' as const, label: 'Changes in the file' }] : []),
          { value: 'check', label: 'What it would do' },
        ]}
        onChange={onShow}
      />
    </div>
  );
}
