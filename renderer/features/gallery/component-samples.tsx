import { Inbox, Play, Square, WrapText } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TagList } from '../../ui/controls/tag.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { ActionMenu } from '../../ui/overlay/menu.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import styles from './gallery.module.css';
import { Section } from './section.tsx';

/** Controls, notices and overlays. */
export function ComponentSamples() {
  return (
    <>
      <Section title="Buttons">
        <ButtonSamples />
      </Section>
      <Section title="Fields and choices">
        <FieldSamples />
      </Section>
      <Section title="Notices and overlays">
        <OverlaySamples />
      </Section>
    </>
  );
}

const looks = ['primary', 'secondary', 'quiet', 'danger'] as const;

function ButtonSamples() {
  return (
    <>
      {looks.map((look) => (
        <div key={look} className={styles.row}>
          <Button look={look} icon={look === 'danger' ? Square : Play}>
            {look}
          </Button>
          <Button look={look}>No icon</Button>
          <Button look={look} size="small" icon={Play}>
            Small
          </Button>
          <Button look={look} isDisabled>
            Disabled
          </Button>
        </div>
      ))}
      <div className={styles.row}>
        <IconButton label="Off" icon={WrapText} pressed={false} />
        <IconButton label="On" icon={WrapText} pressed />
        <IconButton label="Disabled" icon={WrapText} isDisabled />
        <IconButton label="Small" icon={WrapText} size="small" />
        <CopyButton label="Copy" text="copied" />
      </div>
    </>
  );
}

function FieldSamples() {
  const [text, setText] = useState('2026-01-01');
  const [words, setWords] = useState('');
  const [choice, setChoice] = useState<'one' | 'two' | 'three'>('one');
  const choices = (['one', 'two', 'three'] as const).map((value) => ({ value, label: `Choice ${value}` }));
  return (
    <>
      <div className={styles.row}>
        <SearchField label="Search" placeholder="Search" value={words} onChange={setWords} />
        <Select label="Choice" value={choice} choices={choices} onChange={setChoice} />
        <Segmented label="Choice" value={choice} choices={choices} onChange={setChoice} />
      </div>
      <div className={styles.field}>
        <TextField label="DATE" value={text} onChange={setText} description="Default: 2026-01-01" />
      </div>
      <TagList tags={['nightly', 'finance', 'backup']} />
    </>
  );
}

function OverlaySamples() {
  const [open, setOpen] = useState(false);
  const action = { id: 'run', label: 'Run with defaults', icon: Play, run: () => undefined };
  return (
    <>
      <div className={styles.box}>
        <Notice tone="error" action={<Button size="small">Show build</Button>}>
          <strong>Step build failed</strong> with exit code 2.
        </Notice>
        <Notice tone="warning">Queue etl is full: behind the run of 04:00.</Notice>
      </div>
      <div className={styles.row}>
        <Button onPress={() => setOpen(true)}>Open a dialog</Button>
        <ActionMenu
          label="Actions"
          actions={[action, { ...action, id: 'other', label: 'Choose parameters…' }]}
        >
          <Button>Open a menu</Button>
        </ActionMenu>
        <Button onPress={() => showToast('info', 'The run was started.')}>Show a message</Button>
        <Button onPress={() => showToast('error', 'The engine cannot be reached.')}>Show an error</Button>
      </div>
      <div className={styles.box}>
        <EmptyState icon={Inbox} title="Nothing here yet">
          <p>An empty place says why it is empty and what to do.</p>
          <Button>Do it</Button>
        </EmptyState>
      </div>
      {open && (
        <Dialog title="A dialog" onClose={() => setOpen(false)}>
          <p className={styles.dialogText}>Focus stays inside; Escape closes it.</p>
        </Dialog>
      )}
    </>
  );
}
