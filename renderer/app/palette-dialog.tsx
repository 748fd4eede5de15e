import { Command } from 'cmdk';
import { useState } from 'react';
import { Dialog as AriaDialog, Modal, ModalOverlay } from 'react-aria-components';
import { KeyCaps } from '../ui/detail-list.tsx';
import overlay from '../ui/overlay.module.css';
import { StatusShape } from '../ui/status.tsx';
import { type Entry, type PaletteActions, useEntryGroups } from './palette-entries.ts';
import styles from './palette.module.css';

interface PaletteDialogProps extends PaletteActions {
  readonly onClose: () => void;
}

/** The palette: a search field with matching entries. */
export function PaletteDialog({ onClose, go, start }: PaletteDialogProps) {
  const [query, setQuery] = useState('');
  const groups = useEntryGroups(query, { go, start });
  const choose = (entry: Entry): void => {
    if (entry.unavailable !== undefined) return;
    onClose();
    entry.run();
  };
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(open) => !open && onClose()} className={overlay.scrim}>
      <Modal className={`${overlay.modal} ${styles.modal}`}>
        <AriaDialog aria-label="Command palette" className={overlay.dialog}>
          <Command label="Command palette" shouldFilter={false} loop className={styles.palette}>
            <Command.Input
              value={query}
              onValueChange={setQuery}
              placeholder="Search workflows, runs and commands…"
              className={styles.input}
              autoFocus
            />
            <Command.List className={styles.list} label="Results">
              {groups.length === 0 && <p className={styles.none}>No results</p>}
              {groups.map(({ title, entries }) => (
                <Command.Group key={title} heading={title} className={styles.group}>
                  {entries.map((entry) => (
                    <PaletteItem key={entry.id} entry={entry} onChoose={choose} />
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
          <p className={styles.foot} aria-hidden="true">
            <KeyCaps keys="ArrowUp ArrowDown" />
            select
            <KeyCaps keys="Enter" /> open <KeyCaps keys="Escape" /> close
          </p>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface PaletteItemProps {
  readonly entry: Entry;
  readonly onChoose: (entry: Entry) => void;
}

function PaletteItem({ entry, onChoose }: PaletteItemProps) {
  const { id, title, note, icon: Icon, status, keys, unavailable } = entry;
  return (
    <Command.Item
      value={id}
      disabled={unavailable !== undefined}
      onSelect={() => onChoose(entry)}
      className={styles.item}
    >
      {status !== undefined && <StatusShape status={status} />}
      {status === undefined && Icon && <Icon size={16} aria-hidden="true" />}
      <span className={styles.title} dir="auto">
        {title}
      </span>
      <span className={styles.note} dir="auto">
        {unavailable ?? note}
      </span>
      {keys !== undefined && <KeyCaps keys={keys} />}
    </Command.Item>
  );
}
