import { EditorState, type Extension } from '@codemirror/state';

/**
 * Keeps the line breaks of a text as they are. Without it, the editor turns every kind of them into one: a text that has
 * others than its separator keeps them as characters.
 */
export const lineBreaksOf = (text: string): Extension =>
  EditorState.lineSeparator.of(/^(?:[^\r\n]|\r\n)*\r\n[^\r\n]*$/.test(text) ? '\r\n' : '\n');
