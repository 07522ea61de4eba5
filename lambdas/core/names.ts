import { assertValid } from './errors.ts';

/**
 * Characters that nobody sees, or cannot tell from a blank: controls, formats (bidirectional controls, joiners, the soft
 * hyphen), private use, everything that Unicode lets a font ignore, and blanks other than the blank.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * Checks a name that comes into use: no two names may look the same to the eye for what cannot be seen. A name that is
 * in use already is never judged by this. Errors: `invalid_request`.
 */
export const checkNewName = (field: string, name: string): void => {
  const [invisible] = INVISIBLE.exec(name) ?? [];
  assertValid(
    invisible === undefined,
    `"${field}" contains ${codeOf(invisible ?? '')}, which cannot be seen. Remove it.`,
  );
  assertValid(name.trim() === name, `"${field}" must not begin or end with a blank.`);
  assertValid(
    name.normalize('NFC') === name,
    `"${field}" must be in the Unicode normalization form NFC: write accented letters as single characters.`,
  );
};
