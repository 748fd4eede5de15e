import { Autocomplete, Input, ListBox, ListBoxItem, SearchField, useFilter } from 'react-aria-components';
import type { OutlineStep } from '../../../../core/edit/outline.ts';
import { toNodeRef } from '../../../../core/edit/outline/look-up.ts';
import { keyOfRef } from '../../outline/outline-rows.ts';
import { listAllNodes } from '../../session/node-selection.ts';
import { useEditorSession, useSessionView } from '../../session/use-session.ts';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import controls from '../../../ui/controls/controls.module.css';
import styles from '../editor.module.css';

/** Lists the steps by name, to go to one. */
export function StepPicker({ onClose }: { readonly onClose: () => void }) {
  const session = useEditorSession();
  const analysis = useSessionView((view) => view.outlined);
  const { contains } = useFilter({ sensitivity: 'base' });
  const nodes = analysis ? dedupe(listAllNodes(analysis.outline)) : [];
  return (
    <Dialog title="Go to step" onClose={onClose}>
      <div className={styles.picker}>
        <Autocomplete filter={contains}>
          <SearchField aria-label="Step name" autoFocus>
            <Input className={controls.input} placeholder="Step name" />
          </SearchField>
          <ListBox
            aria-label="Steps"
            className={styles.pickerList}
            renderEmptyState={() => <p className={styles.none}>No matching steps</p>}
            onAction={(key) => {
              const chosen = nodes.find((node) => keyOfRef(node) === key);
              onClose();
              if (chosen) session.select([toNodeRef(chosen)], 'other');
            }}
          >
            {nodes.map((node) => (
              <ListBoxItem
                key={keyOfRef(node)}
                id={keyOfRef(node)}
                textValue={node.name}
                className={styles.pickerItem}
              >
                <span dir="auto">{node.name}</span>
                <span className={styles.faint}>{node.section === 'handler' ? 'handler' : node.detail}</span>
              </ListBoxItem>
            ))}
          </ListBox>
        </Autocomplete>
      </div>
    </Dialog>
  );
}

/**
 * Keeps only the first of steps with the same name (an error in the text), because duplicate keys make the list
 * loop forever.
 */
const dedupe = (nodes: readonly OutlineStep[]): readonly OutlineStep[] => {
  const byKey = new Map<string, OutlineStep>();
  for (const node of nodes) {
    const key = keyOfRef(node);
    if (!byKey.has(key)) byKey.set(key, node);
  }
  return [...byKey.values()];
};
