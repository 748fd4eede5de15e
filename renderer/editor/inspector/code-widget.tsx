import { type StreamParser, HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { javascript, json } from '@codemirror/legacy-modes/mode/javascript';
import { powerShell } from '@codemirror/legacy-modes/mode/powershell';
import { python } from '@codemirror/legacy-modes/mode/python';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { pgSQL } from '@codemirror/legacy-modes/mode/sql';
import { defaultKeymap, indentWithTab } from '@codemirror/commands';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { JsonValue } from '../../../core/base/json.ts';
import { useSessionView } from '../session/panel-state.ts';
import { getValueText, useForm, written, type WidgetProps, useDraft, type Draft } from './form-context.ts';
import { StringListWidget } from './text-widgets.tsx';
import styles from './inspector.module.css';

/** Values of a step that determine the language of its code, as written. */
export interface CodeContext {
  readonly field: 'command' | 'script';
  readonly text: string;
  /** Empty for a step that runs a command or script. */
  readonly type: string;
  /** The command next to a script: the program that runs it. */
  readonly command: string;
  /** Shell of the step. */
  readonly shell: string;
  /** Shell of the workflow, for steps without their own. */
  readonly workflowShell: string;
}

const languages = { shell, sql: pgSQL, json, javascript, python, powershell: powerShell } as const;
type CodeLanguage = keyof typeof languages;

/** Languages by step type; types that are not listed run commands or scripts. */
const byType: Readonly<Record<string, Partial<Record<CodeContext['field'], CodeLanguage>>>> = {
  sql: { command: 'sql', script: 'sql' },
  // There is no highlighter for jq queries.
  jq: { script: 'json' },
  // The script holds the fields of the request.
  http: { script: 'json' },
  archive: {},
  gha: {},
  'github-action': {},
  github_action: {},
};

/** Interpreters by name, without version numbers. */
const byProgram: Readonly<Record<string, CodeLanguage>> = {
  ...Object.fromEntries(
    ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'nix-shell'].map((name) => [name, 'shell' as const]),
  ),
  python: 'python',
  pypy: 'python',
  pwsh: 'powershell',
  powershell: 'powershell',
  node: 'javascript',
  psql: 'sql',
};

/** Returns the language of code; undefined for an unsupported one, which is better than wrong colors. */
export function getLanguage(context: CodeContext): CodeLanguage | undefined {
  const { field, text, type, command, shell: stepShell, workflowShell } = context;
  const known = byType[type];
  if (known) return known[field];
  const shebang = /^#!\s*(.+)/.exec(text)?.[1];
  const beside = field === 'script' ? command.trim() : '';
  return getProgramLanguage(beside || stepShell.trim() || shebang || workflowShell.trim() || 'sh');
}

/** @param line a program and its arguments, perhaps after `env` */
function getProgramLanguage(line: string): CodeLanguage | undefined {
  const names = line
    .split(/\s+/)
    .filter((word) => !word.startsWith('-') && !word.includes('='))
    .map((word) => word.replace(/^.*[/\\]/, '').replace(/\.exe$/i, ''));
  const name = ['env', 'busybox'].includes(names[0]!) ? names[1] : names[0];
  return byProgram[name?.replace(/[\d.]+$/, '') ?? ''];
}

/** Returns the highlighter of a language. */
const getCodeParser = (language: CodeLanguage): StreamParser<unknown> => languages[language];

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--text-faint)', fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--ansi-green)' },
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--ansi-blue)' },
  { tag: tags.standard(tags.variableName), color: 'var(--ansi-cyan)' },
  { tag: [tags.variableName, tags.definition(tags.variableName)], color: 'var(--ansi-magenta)' },
  { tag: tags.number, color: 'var(--ansi-yellow)' },
  { tag: tags.attributeName, color: 'var(--ansi-cyan)' },
]);

const editorTheme = EditorView.theme({
  '&': { color: 'var(--text)', fontSize: 'var(--size-12)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '19px', fontVariantLigatures: 'none' },
  '.cm-content': { caretColor: 'var(--text)', padding: '6px 0' },
  '.cm-line': { padding: '0 10px' },
  '.cm-placeholder': { color: 'var(--text-faint)' },
});

/** A command or script with highlighting; a command written as a list of words uses fields. */
export function CodeWidget(props: WidgetProps) {
  return Array.isArray(props.state?.value) ? <StringListWidget {...props} /> : <CodeField {...props} />;
}

function CodeField({ path, state, label, inputId, describedBy, isInvalid, example = '' }: WidgetProps) {
  const form = useForm();
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const { draft, value } = useDraft({
    text: getValueText(state?.value),
    commit: (text) => form.set(path, written(text === '' ? undefined : text)),
  });
  const language = useLanguage(path, value);
  const getCurrentGrammar = useEffectEvent(() => getGrammar(language));
  useEffect(() => {
    const extensions = [
      grammar.of(getCurrentGrammar()),
      follow(draft),
      placeholder(example),
      EditorView.contentAttributes.of({
        id: inputId,
        'aria-label': label,
        spellcheck: 'false',
        tabindex: '0',
      }),
    ];
    const editor = openCode(box.current!, draft.read(), extensions);
    view.current = editor;
    return () => editor.destroy();
  }, [draft, inputId, label, example]);
  useEffect(() => {
    if (view.current) showText(view.current, value);
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: grammar.reconfigure(getGrammar(language)) });
  }, [language]);
  useEffect(() => {
    const content = view.current?.contentDOM;
    content?.setAttribute('aria-describedby', `inspector-code-keys ${describedBy ?? ''}`.trim());
    content?.setAttribute('aria-invalid', String(isInvalid));
  }, [describedBy, isInvalid]);
  return <div ref={box} className={styles.code} data-invalid={isInvalid || undefined} />;
}

/** Returns the language of the step's code from the current form. */
function useLanguage(path: WidgetProps['path'], text: string): CodeLanguage | undefined {
  const { getState, document = 0 } = useForm();
  const workflowShell = useSessionView(({ validAnalysis }) =>
    (validAnalysis?.workflows[document]?.shell ?? []).join(' '),
  );
  const getValue = (name: string): JsonValue | undefined => getState([...path.slice(0, -1), name])?.value;
  const getLine = (value: JsonValue | undefined): string =>
    Array.isArray(value) ? value.map(getValueText).join(' ') : getValueText(value);
  const type = getValue('type');
  const isMap = type !== null && typeof type === 'object' && !Array.isArray(type);
  return getLanguage({
    ...{ text, workflowShell },
    field: path.at(-1) === 'script' ? 'script' : 'command',
    type: getValueText(isMap ? type['type'] : type),
    command: getLine(getValue('command')),
    shell: getLine(getValue('shell')),
  });
}

const grammar = new Compartment();
const getGrammar = (language: CodeLanguage | undefined): Extension =>
  language === undefined ? [] : StreamLanguage.define(getCodeParser(language));

const openCode = (parent: HTMLElement, doc: string, extensions: Extension): EditorView =>
  new EditorView({
    parent,
    state: EditorState.create({
      doc,
      extensions: [
        syntaxHighlighting(colours),
        editorTheme,
        EditorView.lineWrapping,
        keymap.of([...defaultKeymap, indentWithTab]),
        extensions,
      ],
    }),
  });

/** Passes typed text to the draft. */
const follow = (draft: Draft): Extension =>
  EditorView.updateListener.of(({ docChanged, transactions, state, focusChanged, view }) => {
    const events = ['input', 'delete', 'move'];
    if (docChanged && transactions.some((one) => events.some((event) => one.isUserEvent(event))))
      draft.change(state.doc.toString());
    if (focusChanged && !view.hasFocus) draft.leave();
  });

/** Changes only the difference, so that the cursor stays. */
function showText(editor: EditorView, text: string): void {
  const now = editor.state.doc.toString();
  if (now === text) return;
  const length = Math.min(now.length, text.length);
  let from = 0;
  while (from < length && now[from] === text[from]) from += 1;
  let tail = 0;
  while (tail < length - from && now.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
  editor.dispatch({ changes: { from, to: now.length - tail, insert: text.slice(from, text.length - tail) } });
}
