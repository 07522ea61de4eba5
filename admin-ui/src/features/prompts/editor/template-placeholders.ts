import { type Extension, RangeSetBuilder, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { PLACEHOLDER } from '../../../../../contract/templates.ts';

const mark = Decoration.mark({ class: 'cm-cue-placeholder' });

// The whole text is searched, since blanks inside the braces may be line breaks.
const marksOf = (doc: Text): DecorationSet => {
  const builder = new RangeSetBuilder<Decoration>();
  for (const match of doc.toString().matchAll(PLACEHOLDER)) {
    builder.add(match.index, match.index + match[0].length, mark);
  }
  return builder.finish();
};

/** Marks the placeholders of a template by the rule that the service compiles with. */
export const placeholders: Extension = StateField.define<DecorationSet>({
  create: ({ doc }) => marksOf(doc),
  update: (marks, { docChanged, state }) => (docChanged ? marksOf(state.doc) : marks),
  provide: (field) => EditorView.decorations.from(field),
});
