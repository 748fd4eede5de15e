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
import { ForcedState } from './forced.tsx';
import styles from './gallery.module.css';
import { Section } from './section.tsx';

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
      <Button variant={variant} unavailable="Requires the role operator. Your role is viewer.">
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
