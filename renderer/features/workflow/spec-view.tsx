import { memo, useMemo, useRef } from 'react';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { CopyButton } from '../../ui/toasts.tsx';
import { DiagnosticList, SeverityMark } from '../../ui/status.tsx';
import styles from './workflow.module.css';

/** A piece of a line with its highlighting. */
export interface YamlToken {
  readonly kind: 'text' | 'key' | 'comment' | 'string' | 'mark' | 'variable';
  readonly text: string;
}

/**
 * Highlights keys, comments, quoted strings and variables of one line. It is not a parser and knows no context.
 */
function highlightYaml(line: string): YamlToken[] {
  const [, indent = '', rest = ''] = /^(\s*(?:- +)*)(.*)$/.exec(line) ?? [];
  const pieces: YamlToken[] = indent === '' ? [] : [{ kind: 'mark', text: indent }];
  const [, key, colon, value] = /^([\w.$-]+|"[^"]*"|'[^']*')(:(?:\s|$))(.*)$/.exec(rest) ?? [];
  if (key === undefined || colon === undefined) return [...pieces, ...colourValue(rest)];
  return [...pieces, { kind: 'key', text: key }, { kind: 'mark', text: colon }, ...colourValue(value ?? '')];
}

const valuePattern = /(?<comment>(?:^|\s)#.*$)|(?<string>"[^"]*"|'[^']*')|(?<variable>\$\{[^}]*\}|\$\w+)/g;

function colourValue(text: string): YamlToken[] {
  const pieces: YamlToken[] = [];
  let end = 0;
  for (const match of text.matchAll(valuePattern)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) });
    const { comment, string } = match.groups ?? {};
    pieces.push({ kind: comment ? 'comment' : string ? 'string' : 'variable', text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
  return pieces;
}

interface SpecViewProps {
  readonly spec: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Read-only text of a workflow file, with diagnostics at their lines. */
export function SpecView({ spec, diagnostics }: SpecViewProps) {
  const lines = useMemo(() => spec.replace(/\n$/, '').split('\n'), [spec]);
  const box = useRef<HTMLDivElement>(null);
  const goTo = (line: number): void =>
    box.current?.querySelector(`[data-line="${line}"]`)?.scrollIntoView({ block: 'center' });
  return (
    <div className={styles.spec}>
      {diagnostics.length > 0 && (
        <div className={styles.diagnostics}>
          <DiagnosticList label="Problems" diagnostics={diagnostics} onGo={({ line }) => goTo(line)} />
        </div>
      )}
      <div className={styles.code} ref={box}>
        <div className={styles.copy}>
          <CopyButton label="Copy file" text={spec} />
        </div>
        <pre>
          {lines.map((line, index) => (
            <SpecLine
              // Lines have no identity other than their position.
              key={index}
              number={index + 1}
              text={line}
              diagnostics={
                diagnostics.length > 0 ? diagnostics.filter((one) => one.line === index + 1) : none
              }
            />
          ))}
        </pre>
      </div>
    </div>
  );
}

const none: readonly Diagnostic[] = [];

interface SpecLineProps {
  readonly number: number;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

const SpecLine = memo(function SpecLine({ number, text, diagnostics }: SpecLineProps) {
  const severity = diagnostics.some((one) => one.severity === 'error') ? 'error' : diagnostics[0]?.severity;
  return (
    <>
      <span className={styles.line} data-line={number} data-severity={severity}>
        <span className={styles.number}>{number}</span>
        <code>
          {highlightYaml(text).map(({ kind, text: part }, index) => (
            <span key={index} data-kind={kind}>
              {part}
            </span>
          ))}
        </code>
      </span>
      {diagnostics.map(({ severity: each, message, column }) => (
        <span key={column + message} className={styles.remark} data-severity={each}>
          <SeverityMark severity={each} />
          {message}
        </span>
      ))}
    </>
  );
});
