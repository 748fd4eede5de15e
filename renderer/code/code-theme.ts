import { RangeSetBuilder, type Extension, EditorState } from '@codemirror/state';
import { Decoration, EditorView, highlightSpecialChars, type DecorationSet } from '@codemirror/view';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';

const whole = Decoration.mark({});

/** Finds the two-character line breaks in the viewport. */
function findWideBreaks(view: EditorView): DecorationSet {
  const { doc } = view.state;
  const found = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to;) {
      const line = doc.lineAt(at);
      if (line.text.endsWith('\r') && line.to < doc.length) found.add(line.to - 1, line.to + 1, whole);
      at = line.to + 1;
    }
  }
  return found.finish();
}

/**
 * Hides the carriage return at the end of a line and skips it with the cursor. It is part of the document
 * (`session/line-breaks.ts`).
 */
export const hiddenCarriageReturns: Extension = [
  highlightSpecialChars({
    render(code, description, placeholder) {
      const mark = document.createElement('span');
      if (code === 13) return mark;
      mark.className = 'cm-specialChar';
      mark.title = description ?? '';
      mark.setAttribute('aria-label', description ?? '');
      mark.textContent = placeholder;
      return mark;
    },
  }),
  EditorView.atomicRanges.of(findWideBreaks),
];

/** CodeMirror theme with the colors and sizes of `styles/tokens.css`, which handle light and dark mode. */
const theme = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--text)',
    backgroundColor: 'var(--surface-panel)',
    fontSize: 'var(--size-13)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '21px', fontVariantLigatures: 'none' },
  '.cm-content': { padding: '8px 0 40vh', caretColor: 'var(--text)' },
  '.cm-placeholder': { color: 'var(--text-muted)' },
  '.cm-line': { padding: '0 16px 0 8px' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklab, var(--accent) 22%, transparent)',
  },
  '.cm-gutters': {
    backgroundColor: 'var(--surface-panel)',
    color: 'var(--text-faint)',
    border: 'none',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '36px', padding: '0 6px 0 8px' },
  '.cm-foldGutter .cm-gutterElement': { width: '16px', textAlign: 'center', color: 'var(--text-faint)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in oklab, var(--surface-hover) 60%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-selectedStep': { boxShadow: 'inset 2px 0 0 var(--accent)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--accent)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--surface-selected)' },
  '.cm-searchMatch': {
    backgroundColor: 'color-mix(in oklab, var(--status-partially-succeeded) 32%, transparent)',
  },
  '.cm-searchMatch-selected': {
    backgroundColor: 'color-mix(in oklab, var(--status-partially-succeeded) 62%, transparent)',
  },
  '.cm-foldPlaceholder': {
    padding: '0 6px',
    border: '1px solid var(--border)',
    borderRadius: 'var(--radius-small)',
    backgroundColor: 'var(--surface-inset)',
    color: 'var(--text-muted)',
  },
  '.cm-reference': { color: 'var(--ansi-magenta)' },
  '.cm-goTo': { textDecoration: 'underline', cursor: 'pointer' },
});

/** Styles of panels, tooltips and marks drawn by CodeMirror extensions. */
const furniture = EditorView.theme({
  '.cm-panels': { backgroundColor: 'var(--surface-panel)', color: 'var(--text)', zIndex: 2 },
  '.cm-panels-top': { borderBottom: '1px solid var(--border)' },
  '.cm-panels-bottom': { borderTop: '1px solid var(--border)' },
  '.cm-panel.cm-search': { padding: '8px 12px', fontFamily: 'var(--font-text)', fontSize: 'var(--size-12)' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '5px',
    marginRight: '12px',
    minHeight: '24px',
    fontSize: 'var(--size-12)',
  },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0', accentColor: 'var(--accent)' },
  '.cm-panel.cm-search [name=close]': {
    color: 'var(--text-muted)',
    right: '10px',
    top: '6px',
    fontSize: '18px',
    minWidth: '24px',
    minHeight: '24px',
  },
  '.cm-textfield': {
    height: '26px',
    padding: '0 8px',
    border: '1px solid var(--border-strong)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface-panel)',
    fontFamily: 'var(--font-code)',
    fontSize: 'var(--size-12)',
  },
  '.cm-button': {
    height: '26px',
    padding: '0 9px',
    border: '1px solid var(--border)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface-panel)',
    backgroundImage: 'none',
    fontSize: 'var(--size-12)',
    fontWeight: '500',
    '&:hover': { backgroundColor: 'var(--surface-hover)', borderColor: 'var(--border-strong)' },
    '&:active': { backgroundImage: 'none', backgroundColor: 'var(--surface-selected)' },
  },
  '.cm-tooltip': {
    // Below dialogs, which may open while a list is about to appear.
    zIndex: 'calc(var(--layer-dialog) - 1)',
    border: '1px solid var(--border)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface-raised)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow-overlay)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-code)',
    fontSize: 'var(--size-12)',
    maxHeight: '260px',
    minWidth: '220px',
    padding: '4px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    padding: '3px 8px',
    lineHeight: '18px',
    borderRadius: 'var(--radius-small)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--surface-selected)',
    color: 'var(--text)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)', fontWeight: '600' },
  '.cm-completionDetail': {
    color: 'var(--text-faint)',
    fontStyle: 'normal',
    fontFamily: 'var(--font-text)',
    marginLeft: '12px',
  },
  '.cm-completionIcon': { color: 'var(--text-faint)', width: '18px', paddingRight: '6px', opacity: '1' },
  '.cm-tooltip.cm-completionInfo': {
    padding: '8px 12px',
    maxWidth: '360px',
    fontFamily: 'var(--font-text)',
    lineHeight: '18px',
    fontSize: 'var(--size-12)',
  },
  '.cm-tooltip-hover': { maxWidth: '440px' },
  '.cm-fieldHelp': {
    padding: '8px 12px',
    maxWidth: '420px',
    fontFamily: 'var(--font-text)',
    fontSize: 'var(--size-12)',
    lineHeight: '18px',
  },
  '.cm-fieldHelp code': { color: 'var(--ansi-blue)' },
  '.cm-tooltip-lint': { padding: '0' },
  '.cm-diagnostic': {
    padding: '6px 12px',
    fontFamily: 'var(--font-text)',
    fontSize: 'var(--size-12)',
    lineHeight: '18px',
    whiteSpace: 'pre-wrap',
  },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--status-failed)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--status-partially-succeeded)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--status-failed) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--status-partially-succeeded) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-active': { backgroundColor: 'var(--status-failed-soft)' },
  '.cm-gutter-lint': { width: '18px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 2px' },
  '.cm-lint-marker': { width: '12px', height: '12px', marginTop: '4px' },
  '.cm-lint-marker-error': { content: 'none', borderRadius: '50%', backgroundColor: 'var(--status-failed)' },
  '.cm-lint-marker-warning': {
    content: 'none',
    clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
    backgroundColor: 'var(--status-partially-succeeded)',
  },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { backgroundColor: 'var(--surface-selected)' },
  '.cm-panel.cm-panel-lint ul': { maxHeight: '160px' },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--text)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--ansi-green)' },
  { tag: tags.content, color: 'var(--text-muted)' },
  { tag: tags.comment, color: 'var(--text-faint)', fontStyle: 'italic' },
  { tag: [tags.labelName, tags.typeName], color: 'var(--ansi-blue)' },
  { tag: tags.keyword, color: 'var(--ansi-cyan)' },
  {
    tag: [tags.meta, tags.separator, tags.punctuation, tags.squareBracket, tags.brace],
    color: 'var(--text-faint)',
  },
]);

/** Texts of the find panel, in the style of the other controls. */
const words = EditorState.phrases.of({
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
});

export const codeTheme = [theme, furniture, syntaxHighlighting(colours), words];
