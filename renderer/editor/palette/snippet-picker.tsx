import {
  Autocomplete,
  Collection,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  SearchField,
} from 'react-aria-components';
import { stepIcons } from '../../graph/step-icon.ts';
import controls from '../../ui/controls/controls.module.css';
import styles from './palette.module.css';
import { searchSnippets, snippets, type Snippet } from './snippets.ts';

/** The list is the popup of the field, which keeps the focus. */
export const comboBox = { role: 'combobox', 'aria-expanded': true } as const;

const matches = (_text: string, query: string, { key }: { readonly key: React.Key }): boolean =>
  searchSnippets(query).some(({ id }) => id === key);

interface SnippetPickerProps {
  readonly onChoose: (snippet: Snippet) => void;
}

/** The palette as a searchable list, for the keyboard and for positions on the canvas. */
export function SnippetPicker({ onChoose }: SnippetPickerProps) {
  return (
    <div className={styles.picker}>
      <Autocomplete filter={matches}>
        <SearchField aria-label="Search steps" autoFocus>
          <Input {...comboBox} className={controls.input} placeholder="Search steps" />
        </SearchField>
        <ListBox
          aria-label="Steps"
          className={styles.pickerList}
          renderEmptyState={() => <p className={styles.none}>No matching steps</p>}
          onAction={(id) => {
            const chosen = snippets.find((snippet) => snippet.id === id);
            if (chosen) onChoose(chosen);
          }}
        >
          {(['Steps', 'Common steps'] as const).map((group) => (
            <ListBoxSection key={group} id={group} aria-label={group}>
              <Header className={styles.group}>{group}</Header>
              <Collection items={snippets.filter((snippet) => snippet.group === group)}>
                {(snippet) => <PickerItem snippet={snippet} />}
              </Collection>
            </ListBoxSection>
          ))}
        </ListBox>
      </Autocomplete>
    </div>
  );
}

function PickerItem({ snippet }: { readonly snippet: Snippet }) {
  const Icon = stepIcons[snippet.kind];
  return (
    <ListBoxItem
      id={snippet.id}
      textValue={`${snippet.label}, ${snippet.words}`}
      className={styles.pickerItem}
    >
      <Icon size={16} aria-hidden="true" />
      <span className={styles.pickerName}>{snippet.label}</span>
      <span className={styles.pickerWords}>{snippet.words}</span>
    </ListBoxItem>
  );
}
