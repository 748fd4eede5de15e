import { Play, Square, WrapText } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { KeyCaps } from '../../ui/controls/key-caps.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { paths } from '../../app/paths.ts';
import { Forced } from './forced.tsx';
import styles from './gallery.module.css';
import { Section } from './section.tsx';

const looks = ['primary', 'secondary', 'quiet', 'danger', 'destroy'] as const;
const longLabel = 'A label that is much longer than any label in the product should be';

/** Buttons and switches in every state. */
export function ControlSamples() {
  return (
    <>
      <Section title="Buttons">
        {looks.map((look) => (
          <ButtonStates key={look} look={look} />
        ))}
        <div className={styles.narrow}>
          <Button>{longLabel}</Button>
        </div>
      </Section>
      <Section title="Icons, links, keys">
        <div className={styles.row}>
          <IconButton label="Off" icon={WrapText} pressed={false} />
          <IconButton label="On" icon={WrapText} pressed />
          <Forced state="hover">
            <IconButton label="Hovered" icon={WrapText} />
          </Forced>
          <Forced state="focus">
            <IconButton label="Focused" icon={WrapText} />
          </Forced>
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

function ButtonStates({ look }: { readonly look: (typeof looks)[number] }) {
  return (
    <div className={styles.row}>
      <Button look={look} icon={look === 'danger' ? Square : Play}>
        {look}
      </Button>
      <Button look={look}>No icon</Button>
      <Button look={look} size="small" icon={Play}>
        Small
      </Button>
      <Forced state="hover">
        <Button look={look}>Hover</Button>
      </Forced>
      <Forced state="focus">
        <Button look={look}>Focus</Button>
      </Forced>
      <Button look={look} isPending>
        Busy
      </Button>
      <Button look={look} isDisabled>
        Disabled
      </Button>
      <Button look={look} unavailable="Requires the role operator. Your role is viewer.">
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
        <Forced state="hover">
          <Checkbox label="Hover" isSelected={false} onChange={setOn} />
        </Forced>
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
