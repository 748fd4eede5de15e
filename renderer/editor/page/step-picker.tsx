import { Autocomplete, Input, ListBox, ListBoxItem, SearchField, useFilter } from 'react-aria-components';
import type { OutlineStep } from '../../../core/edit/outline.ts';
import { listNodes } from '../session/node-selection.ts';
import { useEditorSession, useSessionView } from '../session/use-session.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import controls from '../../ui/controls/controls.module.css';
import styles from './editor.module.css';

/** The steps by name, to go to one of them. */
export function StepPicker({ onClose }: { readonly onClose: () => void }) {
  const session = useEditorSession();
  const analysis = useSessionView((view) => view.outlined);
  const { contains } = useFilter({ sensitivity: 'base' });
  const nodes = analysis ? withoutDoubles(listNodes(analysis.outline)) : [];
  return (
    <Dialog title="Go to step" onClose={onClose}>
      <div className={styles.picker}>
        <Autocomplete filter={contains}>
          <SearchField aria-label="Name of the step" autoFocus>
            <Input className={controls.input} placeholder="Name of the step" />
          </SearchField>
          <ListBox
            aria-label="Steps"
            className={styles.pickerList}
            renderEmptyState={() => <p className={styles.none}>No step is called like this.</p>}
            onAction={(key) => {
              const chosen = nodes.find(({ section, name }) => `${section}:${name}` === key);
              onClose();
              if (chosen) session.select([{ section: chosen.section, name: chosen.name }], 'other');
            }}
          >
            {nodes.map(({ section, name, detail }) => (
              <ListBoxItem
                key={`${section}:${name}`}
                id={`${section}:${name}`}
                textValue={name}
                className={styles.pickerItem}
              >
                <span>{name}</span>
                <span className={styles.faint}>{section === 'handler' ? 'handler' : detail}</span>
              </ListBoxItem>
            ))}
          </ListBox>
        </Autocomplete>
      </div>
    </Dialog>
  );
}

/** Of steps with the same name, which is an error in the text, the first: a list with two items of one key has no end. */
const withoutDoubles = (nodes: readonly OutlineStep[]): readonly OutlineStep[] => {
  const byKey = new Map<string, OutlineStep>();
  for (const node of nodes) {
    const key = `${node.section}:${node.name}`;
    if (!byKey.has(key)) byKey.set(key, node);
  }
  return [...byKey.values()];
};
