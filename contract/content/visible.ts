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

// A lone carriage return ends a line in some programs only, as U+2028 does.
const CONTROL = /\r(?!\n)|(?![\t\n\r])[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** Where a text has its first control character, or separator of lines or paragraphs, that is no tab, line feed or CRLF; -1 without one. */
export const controlAt = (text: string): number => text.search(CONTROL);

/** A text with these characters as escapes, as JSON and YAML in double quotes have them. */
export const withoutControls = (text: string): string => text.replace(CONTROL, escaped);

/** A character by its number, such as U+2028. */
export const codeOf = (character: string): string =>
  `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Whether a path leads to a file below where it begins, and shows all its characters. */
export const isPlainPath = (path: string): boolean =>
  visible(path) === path &&
  !/[\t\n]/.test(path) &&
  path.split('/').every((segment) => !['', '.', '..'].includes(segment));
