/** Controls, formats, separators, surrogates, and what fonts do not draw; not the tab, the line feed and CRLF. */
export const INVISIBLE = /(?![\t\n]|\r\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Each UTF-16 unit of a text as `\\uXXXX`. */
export const escaped = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** A text with control, bidirectional and zero-width characters as escapes, so that nothing in it hides. */
export const visible = (text: string): string => text.replace(INVISIBLE, escaped);

/** Characters that are kept of a text that an issuer, a platform or another service writes. */
const MOST_FOREIGN = 200;

/** Such a text on one line, cut, with what hides in it as escapes. */
export const foreignText = (text: string): string =>
  Array.from(visible(text.slice(0, MOST_FOREIGN)).replace(/[\t\r\n]/g, escaped))
    .slice(0, MOST_FOREIGN)
    .join('');

/** A character by its number, such as U+2028. */
export const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Whether a path leads to a file below where it begins, and shows all its characters. */
export const isPlainPath = (path: string): boolean =>
  visible(path) === path &&
  !/[\t\n]/.test(path) &&
  path.split('/').every((segment) => !['', '.', '..'].includes(segment));
