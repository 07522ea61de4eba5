import { variablesOf } from '../../../../../../contract/templates.ts';
import type { VersionPart } from '../../../../../../contract/versions.ts';

/** Added and removed names. */
export const changesOf = (before: readonly string[], after: readonly string[]) => ({
  added: after.filter((name) => !before.includes(name)),
  removed: before.filter((name) => !after.includes(name)),
});

/** Variables that a template adds and removes compared with another. */
export const variableChanges = (before: string, after: string) =>
  changesOf(variablesOf(before), variablesOf(after));

/** The part of the version to increment: callers must send values for added variables. */
export const partFor = (before: string, after: string): VersionPart =>
  variableChanges(before, after).added.length > 0 ? 'major' : 'minor';
