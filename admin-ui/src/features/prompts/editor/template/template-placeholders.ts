import { type Extension, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { FRAGMENT } from '../../../../../../contract/content/fragments.ts';
import { PLACEHOLDER } from '../../../../../../contract/templates.ts';
import { strayBracesOf } from './stray-braces.ts';

const placeholder = Decoration.mark({ class: 'cm-cue-placeholder' });
const stray = Decoration.mark({ class: 'cm-cue-stray' });

// The whole text is searched, since blanks inside the braces may be line breaks.
const marksOf = (doc: Text): DecorationSet => {
  const text = doc.toString();
  const marks = [
    ...[PLACEHOLDER, FRAGMENT].flatMap((pattern) =>
      Array.from(text.matchAll(pattern), ({ 0: found, index }) =>
        placeholder.range(index, index + found.length),
      ),
    ),
    ...strayBracesOf(text).map(({ text: found, at }) => stray.range(at, at + found.length)),
  ];
  return Decoration.set(marks, true);
};

/** Marks the placeholders and fragments of a template by the rule that the service compiles with, and what only looks like one. */
export const placeholders: Extension = StateField.define<DecorationSet>({
  create: ({ doc }) => marksOf(doc),
  update: (marks, { docChanged, state }) => (docChanged ? marksOf(state.doc) : marks),
  provide: (field) => EditorView.decorations.from(field),
});
