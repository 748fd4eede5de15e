import { useMemo } from 'react';
import styles from './files.module.css';

/** No scripts, requests, forms or frames: only what the document itself contains. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** Tokens of the theme that Markdown is displayed with. */
const tokens = ['--surface-panel', '--surface-inset', '--border', '--text', '--text-muted', '--accent'];

const markdownStyle = `
  body { max-width: 76ch; margin: 0 auto; padding: 8px 24px 32px; background: var(--surface-panel);
    color: var(--text); font: 14px/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
  h1, h2 { padding-bottom: 4px; border-bottom: 1px solid var(--border); }
  h1 { font-size: 24px; } h2 { font-size: 19px; } h3 { font-size: 16px; }
  h1, h2, h3, h4 { line-height: 1.3; margin: 24px 0 12px; }
  a { color: var(--accent); }
  code, pre { background: var(--surface-inset); border-radius: 4px; font: 12px/1.5 ui-monospace, monospace; }
  code { padding: 2px 4px; } pre { padding: 12px; overflow: auto; } pre code { padding: 0; }
  table { display: block; border-collapse: collapse; overflow: auto; }
  th, td { padding: 5px 10px; border: 1px solid var(--border); text-align: left; }
  blockquote { margin-inline: 0; padding-left: 14px; border-left: 3px solid var(--border); color: var(--text-muted); }
  img { max-width: 100%; }`;

/** Copies the theme, because a frame does not inherit it. */
function readTheme(): string {
  const style = getComputedStyle(document.documentElement);
  const values = tokens.map((name) => `${name}: ${style.getPropertyValue(name)};`).join(' ');
  return `:root { color-scheme: ${style.colorScheme}; ${values} } ${markdownStyle}`;
}

interface SandboxedPageProps {
  readonly title: string;
  readonly html: string;
  /** Markdown has the theme of the window; HTML has its own. */
  readonly source: 'markdown' | 'html';
}

/**
 * Renders untrusted HTML in a frame of its own origin, without scripts. Links open in a new tab.
 */
export function SandboxedPage({ title, html, source }: SandboxedPageProps) {
  const content = useMemo(
    () =>
      [
        `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`,
        '<base target="_blank">',
        source === 'markdown' ? `<style>${readTheme()}</style>` : '',
        html,
      ].join(''),
    [html, source],
  );
  return (
    <iframe
      className={styles.frame}
      title={title}
      data-source={source}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={content}
    />
  );
}
