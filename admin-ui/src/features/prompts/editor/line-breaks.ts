import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Keeps the line breaks of a text as they are, and gives what is pasted the same. Without it, the editor turns every kind
 * of them into one: a text that has others than its separator keeps them as characters.
 */
export const lineBreaksOf = (text: string): Extension => [
  EditorState.lineSeparator.of(/^(?:[^\r\n]|\r\n)*\r\n[^\r\n]*$/.test(text) ? '\r\n' : '\n'),
  EditorView.clipboardInputFilter.of((pasted, { lineBreak }) => pasted.replace(/\r\n?|\n/g, lineBreak)),
];
