// Browsers on POSIX systems name some that are no tag of a language, such as `en-US@posix`.
const isTag = (language: string): boolean => /^en(?:-[A-Za-z0-9]{2,8})*$/.test(language);

/**
 * The locale of dates and numbers: the browser's if it is English, the language of all other texts, so that no sentence
 * mixes two languages.
 */
export const localeOf = (language: string): string => {
  const [tag = ''] = language.split(/[@.]/);
  return isTag(tag) ? tag : 'en';
};

export const LOCALE = localeOf(navigator.language);

/** A number with grouped digits. */
export const inDigits = (value: number): string => value.toLocaleString(LOCALE);
