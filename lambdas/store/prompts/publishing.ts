import { compareVersions, higherVersion, type VersionPart } from '../../../contract/versions.ts';
import { CuevaultError } from '../../core/errors.ts';
import { checkContent, type PromptContent } from '../../core/prompts/prompts.ts';
import { bumpVersion } from '../../core/prompts/versions.ts';
import type { Change } from '../audit.ts';
import type { Table } from '../table.ts';
import { changeLiveHead } from './change.ts';
import { removeDraft } from './drafts.ts';
import { addEvent } from './events.ts';
import { latestFields, type PromptHead } from './head.ts';
import { withLabel } from './labels.ts';
import { highestBelow, type PromptVersion, requireVersion, tombstoneVersion } from './versions.ts';

/** What is published as a version of a prompt. */
export const versionOf = (
  promptId: string,
  version: string,
  { prompt, tags, metaProperties, note }: PromptContent,
  { at, actor }: Change,
): PromptVersion => ({
  promptId,
  version,
  prompt,
  tags,
  metaProperties,
  note,
  publishedAt: at.toISOString(),
  publishedBy: actor,
});

/** Either the version itself or the part of the highest number so far to raise. */
export type VersionChoice = { readonly version: string } | { readonly bump: VersionPart };

/** What was chosen, of the two that can be sent. Errors: `invalid_request` unless it is exactly one. */
export const versionChoice = ({
  version,
  bump,
}: {
  readonly version?: string | undefined;
  readonly bump?: VersionPart | undefined;
}): VersionChoice => {
  if (version !== undefined && bump === undefined) return { version };
  if (bump !== undefined && version === undefined) return { bump };
  throw new CuevaultError('invalid_request', 'Send exactly one of "version" and "bump".');
};

export type PublishInput = PromptContent &
  VersionChoice & {
    /** The `rev` of the head that the caller has seen; another one is refused. */
    readonly rev?: number | undefined;
    /** A label to point to the version in the same transaction. */
    readonly label?: string | undefined;
    /** The `rev` of the draft that this publishes: it is removed along with it. */
    readonly draftRev?: number | undefined;
  };

export interface Published {
  readonly head: PromptHead;
  readonly version: string;
}

/**
 * Publishes a version. It may be below the latest; its number may not have been used before.
 * Errors: `prompt_not_found`, `version_taken`, `invalid_request`, `changed_meanwhile`, `unavailable`.
 */
export const publishVersion = async (
  table: Table,
  change: Change,
  promptId: string,
  input: PublishInput,
): Promise<Published> => {
  checkContent(input);
  let version = '';
  const head = await changeLiveHead(table, change, promptId, input.rev, (seen) => {
    version = 'version' in input ? input.version : bumpVersion(seen.highest, input.bump);
    requireAbove(seen.reservedUpTo, version);
    const published = versionOf(promptId, version, input, change);
    const { head, details, writes } = pointing(withVersion(seen, published), input.label, version, change);
    return {
      head,
      event: { type: 'published', version },
      audit: { action: 'version.publish', details: { version, ...details } },
      version: published,
      writes: [...writes, ...(input.draftRev === undefined ? [] : [removeDraft(promptId, input.draftRev)])],
    };
  });
  return { head, version };
};

/**
 * What it takes to point a label to a version that is published: the head, details of the audit entry, and the event.
 * Without a label nothing. Errors: `invalid_request`.
 */
export const pointing = (head: PromptHead, label: string | undefined, version: string, change: Change) => {
  if (label === undefined) return { head, details: {}, writes: [] };
  const { head: next, from } = withLabel(head, label, version);
  const event = { type: 'label-set', label, from, to: version } as const;
  return { head: next, details: { label, from }, writes: [addEvent(head.promptId, change, event)] };
};

/** Refuses a number that belongs to a deleted prompt of the same name. Errors: `version_taken`. */
export const requireAbove = (reservedUpTo: string | undefined, version: string): void => {
  if (reservedUpTo === undefined || compareVersions(version, reservedUpTo) > 0) return;
  throw new CuevaultError(
    'version_taken',
    `Version ${version} is not above ${reservedUpTo}, the highest that a deleted prompt of this name had; its numbers are never used again. Choose a version above ${reservedUpTo}.`,
  );
};

const withVersion = (head: PromptHead, published: PromptVersion): PromptHead => ({
  ...head,
  versions: head.versions + 1,
  highest: higherVersion(head.highest, published.version),
  ...(compareVersions(published.version, head.latest) > 0 ? latestFields(published) : {}),
});

/**
 * Deletes a version that no label points to and that is not the only one. Its number stays taken; if it was the
 * latest, the highest of the others is.
 * Errors: `prompt_not_found`, `version_not_found`, `version_labelled`, `last_version`, `invalid_request`,
 * `changed_meanwhile`, `unavailable`.
 */
export const deleteVersion = (
  table: Table,
  change: Change,
  promptId: string,
  version: string,
  { rev }: { readonly rev?: number | undefined } = {},
): Promise<PromptHead> =>
  changeLiveHead(table, change, promptId, rev, async (seen) => {
    await requireDeletable(table, seen, version);
    return {
      head: {
        ...seen,
        versions: seen.versions - 1,
        generation: seen.generation + 1,
        ...(version === seen.latest ? await latestWithout(table, seen, version) : {}),
      },
      event: { type: 'version-deleted', version },
      audit: { action: 'version.delete', details: { version } },
      writes: [tombstoneVersion(promptId, version, change)],
    };
  });

/**
 * Whether a version may be deleted: it exists, no label points to it and it is not the only one.
 * Errors: `version_not_found`, `version_labelled`, `last_version`, `invalid_request`, `unavailable`.
 */
export const requireDeletable = async (table: Table, head: PromptHead, version: string): Promise<void> => {
  await requireVersion(table, head, version);
  requireUnlabelled(head, version);
  requireOthers(head, version);
};

const requireUnlabelled = ({ labels }: PromptHead, version: string): void => {
  const names = labels.filter((label) => label.version === version).map(({ label }) => `"${label}"`);
  if (names.length === 0) return;
  throw new CuevaultError(
    'version_labelled',
    `Version ${version} has the label ${names.join(', ')}. Move or remove every label of it first.`,
  );
};

const requireOthers = ({ versions }: PromptHead, version: string): void => {
  if (versions > 1) return;
  throw new CuevaultError(
    'last_version',
    `Version ${version} is the only one of the prompt. Delete the prompt instead, or publish another version first.`,
  );
};

const latestWithout = async (table: Table, head: PromptHead, version: string) => {
  const latest = await highestBelow(table, head, version);
  // Only a change that came between the two reads can leave nothing: it makes the transaction fail as well.
  return latest === undefined ? {} : latestFields(latest);
};
