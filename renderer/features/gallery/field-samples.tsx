import { useState } from 'react';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TagList } from '../../ui/controls/tag.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import styles from './gallery.module.css';
import { Section } from './section.tsx';

/** Fields and selects. */
export function FieldSamples() {
  const [text, setText] = useState('2026-01-01');
  const [words, setWords] = useState('');
  const [choice, setChoice] = useState<'one' | 'two' | 'three'>('one');
  const choices = (['one', 'two', 'three'] as const).map((value) => ({ value, label: `Choice ${value}` }));
  return (
    <Section title="Fields and choices">
      <div className={styles.row}>
        <SearchField label="Search" placeholder="Search" value={words} onChange={setWords} />
        <SearchField label="Search with text" placeholder="Search" value="nightly" onChange={setWords} />
        <Select label="Choice" value={choice} choices={choices} onChange={setChoice} />
        <Segmented label="Choice" value={choice} choices={choices} onChange={setChoice} />
      </div>
      <div className={styles.fields}>
        <TextField label="DATE" value={text} onChange={setText} description="Default: 2026-01-01" />
        <TextField
          label="READ_ONLY"
          value="from the schedule"
          onChange={setText}
          isReadOnly
          description="Set by the workflow."
        />
        <TextField label="TICKET" value="" onChange={setText} isRequired error="Required" />
        <PasswordField label="Password" kind="current" value="secret" onChange={setText} />
        <Select
          label="In a form"
          isLabelled
          description="Help text."
          value={choice}
          choices={choices}
          onChange={setChoice}
        />
        <TextField
          label="A_NAME_THAT_IS_AS_LONG_AS_NAMES_OF_VARIABLES_BECOME_IN_REAL_WORKFLOWS"
          value="/var/lib/some/very/long/path/that/does/not/fit/into/the/field.csv"
          onChange={setText}
        />
      </div>
      <TagList tags={['nightly', 'finance', 'backup']} />
    </Section>
  );
}
