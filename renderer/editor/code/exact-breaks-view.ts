import { RangeSetBuilder, type Extension } from '@codemirror/state';
import { Decoration, EditorView, highlightSpecialChars, type DecorationSet } from '@codemirror/view';

const whole = Decoration.mark({});

/** The line breaks of two characters that are in sight. */
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

/** The return at the end of a line is part of the document (`session/line-breaks.ts`), but nothing to look at or to step on. */
export const hiddenReturns: Extension = [
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
