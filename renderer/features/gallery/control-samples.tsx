import { useEffect, useRef, useState } from 'react';
import { Play, Square, WrapText } from 'lucide-react';
import { PasswordField, SearchField, TextField } from '../../ui/fields.tsx';
import { Segmented, Select, Checkbox, Switch } from '../../ui/choices.tsx';
import { TagList } from '../../ui/page.tsx';
import { Button, IconButton, LinkButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/toasts.tsx';
import { KeyCaps } from '../../ui/detail-list.tsx';
import { paths } from '../../navigation/address.ts';
import styles from './gallery.module.css';

/** A titled section of the gallery. */
export function Section({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      <div className={styles.samples}>{children}</div>
    </section>
  );
}

/** Renders its control in the hover or focus state, for inspection. */
function ForcedState({
  state,
  children,
}: {
  readonly state: 'hover' | 'focus';
  readonly children: React.ReactNode;
}) {
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const attribute = state === 'hover' ? 'data-hovered' : 'data-shows-focus';
    box.current?.querySelector('button, input, a, label')?.setAttribute(attribute, '');
  }, [state]);
  return <span ref={box}>{children}</span>;
}

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

const variants = ['primary', 'secondary', 'quiet', 'danger', 'destroy'] as const;
const longLabel = 'A label that is much longer than any label in the product should be';

/** Buttons and switches in every state. */
export function ControlSamples() {
  return (
    <>
      <Section title="Buttons">
        {variants.map((variant) => (
          <ButtonStates key={variant} variant={variant} />
        ))}
        <div className={styles.narrow}>
          <Button>{longLabel}</Button>
        </div>
      </Section>
      <Section title="Icons, links, keys">
        <div className={styles.row}>
          <IconButton label="Off" icon={WrapText} pressed={false} />
          <IconButton label="On" icon={WrapText} pressed />
          <ForcedState state="hover">
            <IconButton label="Hovered" icon={WrapText} />
          </ForcedState>
          <ForcedState state="focus">
            <IconButton label="Focused" icon={WrapText} />
          </ForcedState>
          <IconButton label="Disabled" icon={WrapText} isDisabled />
          <IconButton
            label="Unavailable"
            icon={WrapText}
            unavailable="The reason is shown on hover and focus."
          />
          <IconButton label="Small" icon={WrapText} size="small" />
          <CopyButton label="Copy" text="copied" />
          <LinkButton href={paths.gallery} icon={Play}>
            Link button
          </LinkButton>
          <KeyCaps keys="Mod+Shift+p" />
          <KeyCaps keys="g w" />
        </div>
      </Section>
      <Section title="Checkboxes and switches">
        <SwitchStates />
      </Section>
    </>
  );
}

function ButtonStates({ variant }: { readonly variant: (typeof variants)[number] }) {
  return (
    <div className={styles.row}>
      <Button variant={variant} icon={variant === 'danger' ? Square : Play}>
        {variant}
      </Button>
      <Button variant={variant}>No icon</Button>
      <Button variant={variant} size="small" icon={Play}>
        Small
      </Button>
      <ForcedState state="hover">
        <Button variant={variant}>Hover</Button>
      </ForcedState>
      <ForcedState state="focus">
        <Button variant={variant}>Focus</Button>
      </ForcedState>
      <Button variant={variant} isPending>
        Busy
      </Button>
      <Button variant={variant} isDisabled>
        Disabled
      </Button>
      <Button variant={variant} unavailable="Requires the operator role. Your role is viewer.">
        Unavailable
      </Button>
    </div>
  );
}

function SwitchStates() {
  const [isOn, setOn] = useState(true);
  return (
    <>
      <div className={styles.row}>
        <Checkbox label="Selected" isSelected={isOn} onChange={setOn} />
        <Checkbox label="Not selected" isSelected={!isOn} onChange={(next) => setOn(!next)} />
        <Checkbox label="Some" isSelected={false} isIndeterminate onChange={setOn} />
        <ForcedState state="hover">
          <Checkbox label="Hover" isSelected={false} onChange={setOn} />
        </ForcedState>
        <Checkbox label="Disabled" isSelected isDisabled onChange={setOn} />
        <Checkbox label="In a table" isLabelHidden isSelected={isOn} onChange={setOn} />
      </div>
      <div className={styles.row}>
        <Switch label="On" isSelected={isOn} onChange={setOn} />
        <Switch label="Off" isSelected={!isOn} onChange={(next) => setOn(!next)} />
        <Switch label="Disabled" isSelected isDisabled onChange={setOn} />
        <Switch label="Unavailable" isSelected={false} unavailable="Reason" onChange={setOn} />
        <Switch label="In a table" isLabelHidden isSelected={isOn} onChange={setOn} />
      </div>
    </>
  );
}
