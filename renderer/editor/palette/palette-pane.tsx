import { X } from 'lucide-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { stepIcons } from '../../graph/step-icon.ts';
import type { Point } from '../../graph/layout/compute-layout.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { dragSnippet, type SnippetTarget } from './drag-snippet.ts';
import styles from './palette.module.css';
import { searchSnippets, type Snippet } from './snippets.ts';

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
      <div className={styles.search}>
        <SearchField label="Search steps" placeholder="Search" value={query} onChange={setQuery} />
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

function SnippetGroup({ group, snippets, onChoose, onPress }: SnippetGroupProps) {
  if (snippets.length === 0) return null;
  return (
    <>
      <h3 className={styles.group}>{group}</h3>
      <ul aria-label={group}>
        {snippets.map((snippet) => {
          const Icon = stepIcons[snippet.kind];
          return (
            <li key={snippet.id}>
              <button
                type="button"
                className={styles.item}
                title={`${snippet.words}. Drag onto the canvas or a connection, or click to add after the selected step.`}
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
  /** The effect of dropping it on a line. */
  readonly words: string | undefined;
}

/** The dragged snippet at the pointer; over a line, it is below the pointer so that the line stays visible. */
function DraggedSnippet({ snippet, at, words }: DraggedProps) {
  const Icon = stepIcons[snippet.kind];
  return createPortal(
    <div
      className={styles.dragged}
      data-on-line={words !== undefined || undefined}
      style={{ transform: `translate(${at.x}px, ${at.y}px)` }}
    >
      <Icon size={16} aria-hidden="true" />
      {snippet.label}
      {words !== undefined && <span>{words}</span>}
    </div>,
    document.body,
  );
}
