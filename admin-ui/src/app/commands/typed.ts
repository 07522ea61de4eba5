/** The id of the list of results. */
export const LIST_ID = 'commands';

const squeezed = (text: string): string => text.toLowerCase().replace(/\s/g, '');

/** Whether a name contains the search text, ignoring case and blanks. */
export const matches = (name: string, typed: string): boolean => squeezed(name).includes(squeezed(typed));

export const isExactly = (name: string, typed: string): boolean => squeezed(name) === squeezed(typed);

/** What can be done with a thing that is found by its name. */
export type Verb = 'revoke' | 'rotate' | 'rollback';

const ASKED = /^(revoke|rotate|roll ?back)\s+(.+)$/i;

/** The name to search for, and what to do with what it finds: `revoke ci` is `ci`, to be revoked. */
export const askedOf = (typed: string): { readonly name: string; readonly verb?: Verb } => {
  const [, verb, name] = ASKED.exec(typed) ?? [];
  return verb && name ? { name, verb: squeezed(verb) as Verb } : { name: typed };
};
