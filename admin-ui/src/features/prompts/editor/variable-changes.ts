import { variablesOf } from '../../../../../contract/templates.ts';
import type { VersionPart } from '../../../../../contract/versions.ts';

/** What came and what went, by name. */
export const changesOf = (before: readonly string[], after: readonly string[]) => ({
  added: after.filter((name) => !before.includes(name)),
  removed: before.filter((name) => !after.includes(name)),
});

/** Variables that a template has gained and lost against another. */
export const variableChanges = (before: string, after: string) =>
  changesOf(variablesOf(before), variablesOf(after));

/** The part of the number to raise: callers must know of variables that came or went. */
export const partFor = (before: string, after: string): VersionPart => {
  const { added, removed } = variableChanges(before, after);
  return added.length + removed.length > 0 ? 'major' : 'minor';
};
