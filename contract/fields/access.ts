export const PERMISSIONS = ['prompts', 'secrets', 'publish', 'compare'] as const;

/** What an API key may do: fetch prompts, fetch secrets, publish prompts from code, or compare them without publishing. */
export type Permission = (typeof PERMISSIONS)[number];

/** In ascending order. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;

/** What an operator may do: `viewer` reads, `editor` changes prompts and secrets, `admin` everything. */
export type Role = (typeof ROLES)[number];

/** Whether `role` includes `needed`. */
export const outranks = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);
