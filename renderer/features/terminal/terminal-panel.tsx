import { type ITheme, Terminal } from '@xterm/xterm';
import { FitAddon } from '@xterm/addon-fit';
import '@xterm/xterm/css/xterm.css';
import { useEffect, useRef } from 'react';
import { SquareTerminal, X } from 'lucide-react';
import { getErrorMessage } from '../../../core/base/errors.ts';
import type { TerminalLocation } from '../../../core/contract/desktop-calls.ts';
import type { DesktopBridge } from '../../../core/contract/transport.ts';
import { useBridge } from '../../api/bridge.ts';
import { followTheme } from '../../base/preferences.ts';
import { IconButton } from '../../ui/button.tsx';
import styles from './terminal.module.css';
import { closeTerminal, getTitle, useTerminals } from './terminal-store.tsx';

const tokens = {
  background: '--surface-panel',
  foreground: '--text',
  cursor: '--text',
  cursorAccent: '--surface-panel',
  selectionBackground: '--accent-soft',
} as const satisfies { readonly [Name in keyof ITheme]?: string };

/** Converts the theme colors to a format that the terminal supports. */
function readTerminalColours(): ITheme {
  const probe = document.createElement('span');
  document.body.append(probe);
  const read = (token: string): string => {
    // Computed on an element, the color follows the current theme.
    probe.style.color = `var(${token})`;
    return defaultColour(getComputedStyle(probe).color);
  };
  const theme = Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, read(token)]));
  probe.remove();
  return theme;
}

function defaultColour(written: string): string {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (context === null) return written;
  context.fillStyle = written;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}

interface TerminalViewProps {
  readonly location: TerminalLocation;
  readonly isShown: boolean;
}

/** One terminal; it ends when this component unmounts. */
function TerminalView({ location, isShown }: TerminalViewProps) {
  const { desktop } = useBridge();
  const holder = useRef<HTMLDivElement>(null);
  const fitted = useRef<() => void>(undefined);
  useEffect(() => {
    if (desktop === undefined || holder.current === null) return undefined;
    const screen = openScreen(holder.current);
    fitted.current = screen.fit;
    const end = connect(desktop, location, screen.terminal);
    const observer = new ResizeObserver(screen.fit);
    observer.observe(holder.current);
    const unfollow = followTheme(() => (screen.terminal.options.theme = readTerminalColours()));
    return () => {
      unfollow();
      observer.disconnect();
      end();
      screen.terminal.dispose();
    };
  }, [desktop, location]);
  useEffect(() => {
    if (isShown) fitted.current?.();
  }, [isShown]);
  return <div ref={holder} className={styles.view} hidden={!isShown} />;
}

function openScreen(holder: HTMLElement): { terminal: Terminal; fit: () => void } {
  const terminal = new Terminal({
    fontFamily: 'JetBrains Mono Variable, monospace',
    fontSize: 12,
    scrollback: 5000,
    theme: readTerminalColours(),
    // Programs choose colors for a dark background.
    minimumContrastRatio: 4.5,
  });
  const addon = new FitAddon();
  terminal.loadAddon(addon);
  terminal.open(holder);
  terminal.attachCustomKeyEventHandler((event) => !copyOrPaste(event, terminal));
  const fit = (): void => {
    if (holder.clientWidth > 0 && holder.clientHeight > 0) addon.fit();
  };
  fit();
  terminal.focus();
  return { terminal, fit };
}

/**
 * Handles Ctrl+Shift+C and V, because the shell uses Ctrl+C; the system's own shortcuts work as usual.
 * @returns whether the event was handled
 */
function copyOrPaste(event: KeyboardEvent, terminal: Terminal): boolean {
  if (event.type !== 'keydown' || !event.ctrlKey || !event.shiftKey) return false;
  if (event.code !== 'KeyC' || !terminal.hasSelection()) return false;
  event.preventDefault();
  void navigator.clipboard.writeText(terminal.getSelection());
  return true;
}

/** Starts the shell and connects it to the terminal until the returned function is called. */
function connect(desktop: DesktopBridge, location: TerminalLocation, terminal: Terminal): () => void {
  let id: number | undefined;
  let isOver = false;
  /** Output received before the response to the start request. */
  let early: { id: number; data: string }[] = [];
  const show = (data: string): void =>
    terminal.write(data, () => {
      if (id !== undefined && !isOver) void desktop.call('terminal.taken', { id, count: data.length });
    });
  const unfollow = desktop.follow((message) => {
    if (message.kind === 'terminal_output') {
      if (id === undefined) early.push(message);
      else if (message.id === id) show(message.data);
    } else if (message.kind === 'terminal_ended' && message.id === id) {
      isOver = true;
      terminal.write(`\r\n\u001b[2mShell exited (${message.exitCode}).\u001b[0m\r\n`);
    }
  });
  /** Input typed before the shell has started. */
  let ahead = '';
  const typed = terminal.onData((data) => {
    if (id === undefined) ahead += data;
    else if (!isOver) void desktop.call('terminal.write', { id, data });
  });
  const resized = terminal.onResize(({ cols, rows }) => {
    if (id !== undefined && !isOver) void desktop.call('terminal.resize', { id, columns: cols, rows });
  });
  let isGone = false;
  desktop
    .call('terminal.start', { place: location, columns: terminal.cols, rows: terminal.rows })
    .then((started) => {
      if (isGone) return void desktop.call('terminal.close', { id: started.id });
      id = started.id;
      for (const message of early) if (message.id === id) show(message.data);
      early = [];
      if (ahead !== '') void desktop.call('terminal.write', { id, data: ahead });
      void desktop.call('terminal.resize', { id, columns: terminal.cols, rows: terminal.rows });
    })
    .catch((error: unknown) => terminal.write(`\u001b[31m${getErrorMessage(error)}\u001b[0m\r\n`));
  return () => {
    isGone = true;
    unfollow();
    typed.dispose();
    resized.dispose();
    if (id !== undefined) void desktop.call('terminal.close', { id });
  };
}

/** Terminals as tabs below the page. All stay running; one is visible. */
export function TerminalPanel() {
  const { tabs, activeTab } = useTerminals();
  return (
    <section className={styles.panel} aria-label="Terminal">
      <div className={styles.bar}>
        <SquareTerminal size={16} aria-hidden="true" />
        {tabs.map(({ key, location }) => {
          const title = getTitle(location);
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
      {tabs.map(({ key, location }) => (
        <TerminalView key={key} location={location} isShown={key === activeTab} />
      ))}
    </section>
  );
}
