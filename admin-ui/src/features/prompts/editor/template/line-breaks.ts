/** A change in an editor, where every line break is one character, `\n`. Positions count from the text before it. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

const BREAK = /\r\n?|\n/;
const BREAKS = new RegExp(BREAK, 'g');

const offsetOf = (text: string, position: number): number => {
  let offset = position;
  for (let at = text.indexOf('\r\n'); at !== -1 && at < offset; at = text.indexOf('\r\n', at + 2))
    offset += 1;
  return offset;
};

/**
 * Applies changes, in order, to a text with line breaks of any kind. Untouched line breaks are kept; new ones are like
 * the first. `shown` is the resulting text in the editor.
 */
export const withChanges = (text: string, changes: readonly TextChange[], shown: string): string => {
  const lineBreak = BREAK.exec(text)?.[0] ?? '\n';
  let result = '';
  let done = 0;
  for (const { from, to, insert } of changes) {
    result += text.slice(done, offsetOf(text, from)) + insert.replaceAll('\n', lineBreak);
    done = offsetOf(text, to);
  }
  result += text.slice(done);
  // The two halves of a line break that become adjacent would count as one.
  return result.replace(BREAKS, '\n') === shown ? result : shown.replaceAll('\n', lineBreak);
};
