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
 * Makes changes, in their order, in a text whose line breaks may be of any kind. Those that are not touched stay as they
 * are, new ones are like the first. `shown` is what the editor shows afterwards.
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
  // Two halves of a line break that come together would count as one.
  return result.replace(BREAKS, '\n') === shown ? result : shown.replaceAll('\n', lineBreak);
};
