import { escaped } from '../visible.ts';

// A lone carriage return ends a line in some programs only, as U+2028 does.
const CONTROL = /\r(?!\n)|(?![\t\n\r])[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** Where a text has its first control character, or separator of lines or paragraphs, that is no tab, line feed or CRLF; -1 without one. */
export const controlAt = (text: string): number => text.search(CONTROL);

/** A text with these characters as escapes, as JSON and YAML in double quotes have them. */
export const withoutControls = (text: string): string => text.replace(CONTROL, escaped);
