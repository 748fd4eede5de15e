import { useMemo } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { listTargets } from '../../../../core/import/makefile/import-makefile.ts';
import { parseMakefile } from '../../../../core/import/makefile/parse-makefile.ts';
import controls from '../../../ui/controls/controls.module.css';
import type { NewWorkflowInputs } from '../new-workflow-inputs.ts';
import styles from './sources.module.css';
import { TextSource } from './text-source.tsx';

interface MakefileSourceProps {
  readonly value: NewWorkflowInputs['makefile'];
  readonly onChange: (value: NewWorkflowInputs['makefile']) => void;
}

/** A makefile and the target to run. */
export function MakefileSource({ value, onChange }: MakefileSourceProps) {
  const { targets, goal } = useMemo(
    () => ({ targets: listTargets(value.text), goal: parseMakefile(value.text).goal }),
    [value.text],
  );
  return (
    <>
      <TextSource
        label="Makefile"
        placeholder={'# Build and test\nall: test\n\ntest: build\n\tnpm test'}
        source={value}
        onChange={(source) => onChange({ ...value, ...source, target: undefined })}
      />
      {targets.length > 0 && (
        <div className={styles.targets}>
          <span className={controls.label} id="target-label">
            Target
          </span>
          <ListBox
            aria-labelledby="target-label"
            className={styles.cards}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[value.target ?? goal ?? '']}
            onSelectionChange={(keys) => {
              const target = keys === 'all' ? undefined : keys.values().next().value;
              if (target !== undefined) onChange({ ...value, target: String(target) });
            }}
          >
            {targets.map(({ target, comment }) => (
              <ListBoxItem key={target} id={target} textValue={target} className={styles.card}>
                <div className={styles.cardHead}>
                  <span>{target}</span>
                  {target === goal && <span className={controls.tag}>default</span>}
                </div>
                {comment !== undefined && <span className={styles.cardText}>{comment}</span>}
              </ListBoxItem>
            ))}
          </ListBox>
        </div>
      )}
    </>
  );
}
