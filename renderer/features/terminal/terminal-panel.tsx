import { SquareTerminal, X } from 'lucide-react';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { TerminalView } from './terminal-view.tsx';
import { closeTerminal, titleOf, useTerminals } from './terminal-store.ts';
import styles from './terminal.module.css';

/** Terminals as tabs below the page. All stay running; one is visible. */
export function TerminalPanel() {
  const { tabs, activeTab } = useTerminals();
  return (
    <section className={styles.panel} aria-label="Terminal">
      <div className={styles.bar}>
        <SquareTerminal size={16} aria-hidden="true" />
        {tabs.map(({ key, place }) => {
          const title = titleOf(place);
          return (
            <span key={key} className={styles.tab} data-shown={key === activeTab}>
              <button
                type="button"
                aria-pressed={key === activeTab}
                onClick={() => useTerminals.setState({ activeTab: key })}
              >
                {title}
              </button>
              <IconButton
                size="small"
                icon={X}
                label={`Close terminal ${title}`}
                onPress={() => closeTerminal(key)}
              />
            </span>
          );
        })}
      </div>
      {tabs.map(({ key, place }) => (
        <TerminalView key={key} place={place} isShown={key === activeTab} />
      ))}
    </section>
  );
}
