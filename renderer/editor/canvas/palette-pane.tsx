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
import { X } from 'lucide-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { stepIcons } from '../../graph/step-icon.ts';
import controls from '../../ui/fields.module.css';
import type { Point } from '../../graph/compute-layout.ts';
import { IconButton } from '../../ui/button.tsx';
import { SearchField as UiSearchField } from '../../ui/fields.tsx';
import styles from './overlays.module.css';
import { searchSnippets, snippets, type Snippet } from './snippets.ts';
import { dragSnippet, type SnippetTarget } from './drag-snippet.tsx';

/** The list is the popup of the field, which keeps the focus. */
export const comboBox = { role: 'combobox', 'aria-expanded': true } as const;

const isMatch = (_text: string, query: string, { key }: { readonly key: React.Key }): boolean =>
  searchSnippets(query).some(({ id }) => id === key);

interface SnippetPickerProps {
  readonly onChoose: (snippet: Snippet) => void;
}

/** The palette as a searchable list, for the keyboard and for positions on the canvas. */
export function SnippetPicker({ onChoose }: SnippetPickerProps) {
  return (
    <div className={styles.picker}>
      <Autocomplete filter={isMatch}>
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

interface PalettePaneProps {
  readonly target: SnippetTarget;
  /** Called when a snippet was chosen without dragging. */
  readonly onChoose: (snippet: Snippet) => void;
  readonly onClose: () => void;
}

/** Steps to drag onto the canvas, or to add after the selected one by a click or Enter. */
export function PalettePane({ target, onChoose, onClose }: PalettePaneProps) {
  const [query, setQuery] = useState('');
  const [dragged, setDragged] = useState<DraggedProps>();
  const matches = searchSnippets(query);
  return (
    <section className={styles.pane} aria-label="Palette">
      <div className={styles.head}>
        <h2>Add step</h2>
        <IconButton label="Close palette" icon={X} size="small" onPress={onClose} />
      </div>
      <div className={styles.paletteSearch}>
        <UiSearchField label="Search steps" placeholder="Search" value={query} onChange={setQuery} />
      </div>
      <div className={styles.list}>
        {(['Steps', 'Common steps'] as const).map((group) => (
          <SnippetGroup
            key={group}
            group={group}
            snippets={matches.filter((snippet) => snippet.group === group)}
            onChoose={onChoose}
            onPress={(event, snippet) =>
              dragSnippet(event, {
                snippet,
                target,
                show: (now) => setDragged(now && { snippet, ...now }),
              })
            }
          />
        ))}
        {matches.length === 0 && <p className={styles.none}>No matching steps</p>}
      </div>
      {dragged && <DraggedSnippet {...dragged} />}
    </section>
  );
}

interface SnippetGroupProps {
  readonly group: string;
  readonly snippets: readonly Snippet[];
  readonly onChoose: (snippet: Snippet) => void;
  readonly onPress: (event: React.PointerEvent, snippet: Snippet) => void;
}

function SnippetGroup({ group, snippets: items, onChoose, onPress }: SnippetGroupProps) {
  if (items.length === 0) return null;
  return (
    <>
      <h3 className={styles.group}>{group}</h3>
      <ul aria-label={group}>
        {items.map((snippet) => {
          const Icon = stepIcons[snippet.kind];
          return (
            <li key={snippet.id}>
              <button
                type="button"
                className={styles.item}
                title={`${snippet.words}. Drag onto the canvas, or click to add after the selected step.`}
                onPointerDown={(event) => onPress(event, snippet)}
                onClick={() => onChoose(snippet)}
              >
                <Icon size={15} aria-hidden="true" />
                {snippet.label}
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface DraggedProps {
  readonly snippet: Snippet;
  readonly at: Point;
  /** The effect of dropping it. */
  readonly words: string | undefined;
}

/** The dragged snippet, below the pointer so that a line there or the preview of its card stays visible. */
function DraggedSnippet({ snippet, at, words }: DraggedProps) {
  const Icon = stepIcons[snippet.kind];
  return createPortal(
    <div className={styles.dragged} style={{ transform: `translate(${at.x}px, ${at.y}px)` }}>
      <Icon size={16} aria-hidden="true" />
      {snippet.label}
      {words !== undefined && <span>{words}</span>}
    </div>,
    document.body,
  );
}
