import type { LucideIcon } from 'lucide-react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import styles from './overlay.module.css';

export interface MenuAction {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** That do the same without the menu, as people write them. */
  readonly keys?: string | undefined;
  readonly run?: () => void;
  /** For what leaves the application. */
  readonly href?: string;
  /** It stops or destroys something. */
  readonly isDanger?: boolean;
  /** Why it cannot be done; it is shown below the label. */
  readonly unavailable?: string | undefined;
  /** A line stands above it, to set off another kind of action. */
  readonly beginsGroup?: boolean;
}

interface MenuProps {
  readonly label: string;
  readonly actions: readonly MenuAction[];
  readonly placement?: 'bottom end' | 'top start';
  /** The button that opens the menu. */
  readonly children: React.ReactNode;
}

/** A button with a menu of actions. */
export function ActionMenu({ label, actions, placement = 'bottom end', children }: MenuProps) {
  return (
    <MenuTrigger>
      {children}
      <Popover className={styles.popover} placement={placement} offset={4}>
        <AriaMenu
          className={styles.menu}
          aria-label={label}
          onAction={(key) => actions.find(({ id }) => id === key)?.run?.()}
        >
          {actions.flatMap((action) => [
            ...(action.beginsGroup === true
              ? [<Separator key={`${action.id} line`} className={styles.menuLine} />]
              : []),
            <ActionItem key={action.id} action={action} />,
          ])}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function ActionItem({ action }: { readonly action: MenuAction }) {
  const { id, label, icon: Icon, keys, href, isDanger = false, unavailable } = action;
  return (
    <MenuItem
      id={id}
      className={styles.menuItem}
      textValue={label}
      isDisabled={unavailable !== undefined}
      data-danger={isDanger || undefined}
      {...(href !== undefined && { href })}
    >
      <Icon size={16} aria-hidden="true" />
      <span>
        {label}
        {unavailable !== undefined && <small>{unavailable}</small>}
      </span>
      {keys !== undefined && <kbd className={styles.menuKey}>{keys}</kbd>}
    </MenuItem>
  );
}
