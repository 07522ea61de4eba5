import { EditorState } from '@codemirror/state';
import fc from 'fast-check';
import { lineBreaksOf } from '../../../admin-ui/src/features/prompts/editor/line-breaks.ts';

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('\r\n', '\r', '\n', '\u2028', '\u2029', '\u0085', '\v', '\f', 'a', ''),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(''));

test('a text with any line breaks passes the editor as it is, when it is opened, replaced and typed in', () => {
  fc.assert(
    fc.property(text, text, text, fc.nat(), (opened, other, typed, at) => {
      const state = EditorState.create({ doc: opened, extensions: lineBreaksOf(opened) });
      expect(state.sliceDoc()).toBe(opened);
      const { from, number } = state.doc.line(1 + (at % state.doc.lines));
      const edited = state.update({ changes: { from, insert: typed } }).state.sliceDoc();
      const lines = opened.split(state.lineBreak);
      const before = lines
        .slice(0, number - 1)
        .map((line) => line + state.lineBreak)
        .join('');
      expect(edited).toBe(before + typed + lines.slice(number - 1).join(state.lineBreak));
      const replaced = state.update({ changes: { from: 0, to: state.doc.length, insert: other } });
      expect(replaced.state.sliceDoc()).toBe(other);
    }),
    { numRuns: 500 },
  );
});

test('a line that is typed ends like those of the text, and of a mixed one with a line feed', () => {
  const breakOf = (doc: string) => EditorState.create({ doc, extensions: lineBreaksOf(doc) }).lineBreak;
  expect(['a\r\nb', 'a\nb', 'a', 'a\r\nb\n', 'a\rb\r\n'].map(breakOf)).toEqual([
    '\r\n',
    '\n',
    '\n',
    '\n',
    '\n',
  ]);
});
