import { codeOf, isPlainPath } from '../../contract/content/visible.ts';
import { assertValid } from './errors.ts';

/**
 * Characters that are invisible or look like a space: controls, formats (bidirectional controls, joiners, the soft
 * hyphen), private use, characters that Unicode lets fonts ignore, and spaces other than U+0020.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** Checks a new name: no two names may look the same because of invisible characters. Existing names are not checked. */
export const checkNewName = (field: string, name: string): void => {
  const [invisible] = INVISIBLE.exec(name) ?? [];
  assertValid(
    invisible === undefined,
    `"${field}" contains ${codeOf(invisible ?? '')}, an invisible character. Remove it.`,
  );
  assertValid(name.trim() === name, `"${field}" must not begin or end with a space.`);
};

/** The same for the name of a prompt, which is also the path of its file and a part of addresses. */
export const checkNewPromptName = (name: string): void => {
  checkNewName('name', name);
  assertValid(
    isPlainPath(name),
    '"name" must not begin or end with "/", and no part between slashes can be empty, "." or "..".',
  );
};

/** The first of some texts, and how many more there are. */
export const firstFew = (texts: readonly string[], most: number): string =>
  texts.slice(0, most).join(', ') + (texts.length > most ? ` and ${texts.length - most} more` : '');
