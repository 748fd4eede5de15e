import { RangeSetBuilder, type Extension } from '@codemirror/state';
import { Decoration, EditorView, highlightSpecialChars, type DecorationSet } from '@codemirror/view';

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
