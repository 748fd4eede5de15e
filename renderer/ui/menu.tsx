import type { LucideIcon } from 'lucide-react';
import { useRef } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import styles from './overlay.module.css';

export interface MenuAction {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** The shortcut of the same action, for display. */
  readonly keys?: string | undefined;
  readonly run?: () => void;
  /** For links out of the application. */
  readonly href?: string;
  /** Whether it stops or deletes something. */
  readonly isDanger?: boolean;
  /** Why it is unavailable; shown below the label. */
  readonly unavailable?: string | undefined;
  /** Adds a separator above it. */
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
        <ActionList label={label} actions={actions} />
      </Popover>
    </MenuTrigger>
  );
}

function ActionList({
  label,
  actions,
  ...focus
}: Pick<MenuProps, 'label' | 'actions'> & { readonly autoFocus?: 'first' }) {
  return (
    <AriaMenu
      className={styles.menu}
      aria-label={label}
      {...focus}
      onAction={(key) => actions.find(({ id }) => id === key)?.run?.()}
    >
      {actions.flatMap((action, index) => [
        ...(action.beginsGroup === true && index > 0
          ? [<Separator key={`${action.id} line`} className={styles.menuLine} />]
          : []),
        <ActionItem key={action.id} action={action} />,
      ])}
    </AriaMenu>
  );
}

/** Coordinates in the window, in CSS pixels. */
export interface MenuPosition {
  readonly x: number;
  readonly y: number;
}

interface ContextMenuProps extends Pick<MenuProps, 'label' | 'actions'> {
  readonly at: MenuPosition;
  readonly onClose: () => void;
}

/** A menu of actions at a point, as opened by a right click. */
export function ContextMenu({ label, actions, at, onClose }: ContextMenuProps) {
  const point = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={point} aria-hidden="true" style={{ position: 'fixed', left: at.x, top: at.y }} />
      <Popover
        className={styles.popover}
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        triggerRef={point}
        placement="bottom start"
        offset={2}
      >
        <ActionList
          label={label}
          autoFocus="first"
          actions={actions.map(({ run, ...action }) => ({
            ...action,
            run: () => {
              onClose();
              run?.();
            },
          }))}
        />
      </Popover>
    </>
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
