import { useMemo, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { SearchField } from '../../../ui/controls/search-field.tsx';
import controls from '../../../ui/controls/controls.module.css';
import { findTemplates, templates } from '../templates.ts';
import styles from './sources.module.css';

interface TemplateSourceProps {
  /** Id of the selected template. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** The bundled templates. */
export function TemplateSource({ value, onChange }: TemplateSourceProps) {
  const [words, setWords] = useState('');
  const matches = useMemo(() => findTemplates(templates, words), [words]);
  return (
    <>
      <SearchField
        label="Search templates"
        placeholder={`Search ${templates.length} templates`}
        value={words}
        onChange={setWords}
      />
      <ListBox
        aria-label="Templates"
        className={styles.cards}
        items={matches}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[value]}
        onSelectionChange={(keys) => {
          const id = keys === 'all' ? undefined : keys.values().next().value;
          if (id !== undefined) onChange(String(id));
        }}
        renderEmptyState={() => <p className={styles.none}>No matching templates</p>}
      >
        {({ id, title, description, tags }) => (
          <ListBoxItem id={id} textValue={title} className={styles.card}>
            <div className={styles.cardHead}>
              <span>{title}</span>
              <span className={controls.tags}>
                {tags.map((tag) => (
                  <span key={tag} className={controls.tag}>
                    {tag}
                  </span>
                ))}
              </span>
            </div>
            <span className={styles.cardText}>{description}</span>
          </ListBoxItem>
        )}
      </ListBox>
    </>
  );
}
